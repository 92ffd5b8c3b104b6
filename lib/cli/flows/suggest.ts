import {
  type Flow,
  type Query,
  type Stage,
  suggestionText,
  suggestPolicy,
  type WorkloadName,
} from '#lib/flows/index.ts';
import type { Kube } from '#lib/kube/index.ts';
import { jsonText, visibleLine } from '#lib/text/index.ts';
import { CliError, exit, usageError } from '../exit.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The workload of `suggest`, by the name under which flows show it. */
export function suggestedWorkload(words: readonly string[]): WorkloadName {
  const [word = '', ...more] = words;
  const [, namespace, name] = /^([a-z0-9-]+)\/([a-zA-Z0-9.*-]+)$/.exec(word) ?? [];
  if (namespace === undefined || name === undefined || more.length > 0)
    throw usageError('suggest takes one workload: signalbox flows suggest NAMESPACE/WORKLOAD');
  return { namespace, name };
}

/** All flows of the workload, whichever way they go. */
export const queryOfWorkload = ({ namespace, name }: WorkloadName, time: Pick<Query, 'since' | 'until'>): Query => ({
  terms: [{ not: false, key: 'with', namespace, name }],
  since: time.since,
  until: time.until,
});

/** Staged where the cluster has staged policies. */
export async function stageOf(kube: Kube, signal: AbortSignal): Promise<Stage> {
  const { resources } = await kube.discover({ signal });
  return resources.some(({ plural }) => plural === 'stagednetworkpolicies') ? 'staged' : 'enforced';
}

/** Prints a policy that allows what was seen; throws where there is none to suggest, and says why. */
export function tellSuggestion(
  found: readonly Flow[],
  target: WorkloadName,
  { stage, format, terminal }: { stage: Stage; format: 'yaml' | 'json'; terminal: Terminal },
): void {
  const suggested = suggestPolicy(found, target, stage);
  if (typeof suggested === 'string') throw new CliError(exit.notAsAsked, visibleLine(suggested));
  if (format === 'json') terminal.out(jsonText(suggested, 2));
  else terminal.out(suggestionText(suggested).trimEnd());
}
