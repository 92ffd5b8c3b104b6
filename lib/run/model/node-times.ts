import type { NodeState } from './event.ts';
import { directionOf, type Journal } from './journal.ts';

/** `tookSeconds`: from the first sign of its move to its proof; null where it was proven at the first look, or is not. */
export type NodeTime = {
  name: string;
  state: NodeState['state'];
  dataplane: NodeState['dataplane'];
  detail: string;
  tookSeconds: number | null;
};

/** Each node as it was seen last on the way that the run went, in the order in which they were first told of. Empty for journals of earlier versions. */
export function nodeTimes(journal: Journal): NodeTime[] {
  const nodes = new Map<string, NodeTime>();
  const turned = journal.entries.findLastIndex(({ what }) => what === 'undo-asked');
  const from = directionOf(journal) === 'undo' ? turned : 0;
  for (const entry of journal.entries.slice(from)) {
    const seen = 'seen' in entry ? entry.seen : undefined;
    for (const [name, state, dataplane, moving, since, detail] of seen?.nodes ?? []) {
      const took = state === 'proven' && moving !== null ? moving - since : (nodes.get(name)?.tookSeconds ?? null);
      nodes.set(name, { name, state, dataplane, detail, tookSeconds: took });
    }
  }
  return [...nodes.values()];
}
