import { createHash } from 'node:crypto';
import { canonicalJson } from '#lib/base/records.ts';
import { parseQuery } from '#lib/flows/in-browser.ts';
import type { SuggestedPolicy } from '#lib/flows/index.ts';
import { type Choices, policySchema, remarkLength, remarksKept } from '#lib/spec/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import type { Suggested } from '../../host.ts';
import { Refused } from '../refused.ts';
import { type SeenBy, seenFlows } from './seen-flows.ts';

const patienceMs = 20_000;
/** Less than an hour, which an aggregator also has. */
const defaultAgo = 59 * 60;

type PolicyRequest = { readonly workload: string; readonly query: string };

/** A policy that allows the flows seen of a workload, as YAML to review. Throws Refused with the reason if there is none. */
export async function suggested(seen: SeenBy, request: PolicyRequest): Promise<Suggested> {
  const { suggestionText } = await import('#lib/flows/index.ts');
  const found = await suggestedPolicy(seen, request);
  const { kind, metadata } = found.object;
  return { kind, name: metadata.name, namespace: metadata.namespace, yaml: suggestionText(found), hash: hashOf(found) };
}

/** The answers of a draft that creates the policy, if it is still the one that was shown. Throws Refused. */
export async function chosenSuggestion(
  seen: SeenBy,
  request: PolicyRequest,
  shown: string,
): Promise<Pick<Choices, 'policy' | 'policyRemarks'>> {
  const found = await suggestedPolicy(seen, request);
  if (hashOf(found) !== shown)
    throw new Refused('flows.suggestion-changed', 'New flows change this policy. Suggest again, then review it.');
  const remarks = found.remarks.map((remark) => visibleLine(remark).slice(0, remarkLength));
  return { policy: policySchema.parse(found.object), policyRemarks: remarks.slice(0, remarksKept) };
}

/** Identifies a policy. The number of flows behind it is left out, because it grows while the policy stays the same. */
function hashOf({ object, remarks }: SuggestedPolicy): string {
  return createHash('sha256').update(canonicalJson({ object, remarks })).digest('hex');
}

async function suggestedPolicy(seen: SeenBy, request: PolicyRequest): Promise<SuggestedPolicy> {
  // Loaded with the first question: it brings the flow client and a YAML writer.
  const { readWorkload, suggestionFor } = await import('#lib/flows/index.ts');
  const workload = readWorkload(request.workload);
  if (workload === null)
    throw new Refused(
      'flows.question',
      `${JSON.stringify(request.workload)} is not a workload; write NAMESPACE/WORKLOAD.`,
    );
  const signal = AbortSignal.timeout(patienceMs);
  const { since, until } = parseQuery(request.query).query;
  const time = { since: since ?? (until === null ? { ago: defaultAgo } : null), until };
  const found = await suggestionFor(seen.kube, workload, time, (query) => seenFlows(seen, query, signal), signal);
  if (typeof found === 'string') throw new Refused('flows.no-suggestion', found);
  return found;
}
