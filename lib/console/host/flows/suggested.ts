import { parseQuery } from '#lib/flows/in-browser.ts';
import type { SuggestedPolicy } from '#lib/flows/index.ts';
import type { Suggested } from '../../host.ts';
import { Refused } from '../refused.ts';
import { type SeenBy, seenFlows } from './seen-flows.ts';

const patienceMs = 20_000;
/** What an aggregator has too. */
const defaultAgo = 59 * 60;

type Asked = { readonly workload: string; readonly query: string };

/** A policy that allows what was seen of a workload, as YAML to review. Throws Refused, with why there is none. */
export async function suggested(seen: SeenBy, asked: Asked): Promise<Suggested> {
  const { suggestionText } = await import('#lib/flows/index.ts');
  const found = await suggestedPolicy(seen, asked);
  const { kind, metadata } = found.object;
  return { kind, name: metadata.name, namespace: metadata.namespace, yaml: suggestionText(found) };
}

/** The same as it is to be made. */
export async function suggestedPolicy(seen: SeenBy, asked: Asked): Promise<SuggestedPolicy> {
  // What asks flow logs, and prints YAML, is loaded with the first question.
  const { readWorkload, suggestionFor } = await import('#lib/flows/index.ts');
  const workload = readWorkload(asked.workload);
  if (workload === null)
    throw new Refused('flows.question', `${JSON.stringify(asked.workload)} is no workload; write NAMESPACE/WORKLOAD.`);
  const signal = AbortSignal.timeout(patienceMs);
  const { since, until } = parseQuery(asked.query).query;
  const time = { since: since ?? (until === null ? { ago: defaultAgo } : null), until };
  const found = await suggestionFor(seen.kube, workload, time, (query) => seenFlows(seen, query, signal), signal);
  if (typeof found === 'string') throw new Refused('flows.no-suggestion', found);
  return found;
}
