import type { Journal } from '../model/journal.ts';

/** Letters of one text of a journal that this installation did not write: as many as a pause of ours says at most (engine/decide.ts). */
const mostClaimedLetters = 2_000;
/** Entries of one list in it. A run of 5,000 nodes tells of each. */
const mostClaimed = 10_000;

/**
 * Somebody else's journal as faces show it: its texts are bounded, and what titles are made of is ours. The goal is the plan's, which is one of a table,
 * the cluster is called as it is here, and from which release to which an upgrade goes is left out. Pure.
 */
export function claimed(journal: Journal, { goal, cluster }: Pick<Journal, 'goal' | 'cluster'>): Journal {
  const { upgrade: _, ...rest } = journal;
  return { ...bounded(rest), goal, cluster };
}

function bounded<T>(data: T): T;
function bounded(data: unknown): unknown {
  if (typeof data === 'string')
    return data.length <= mostClaimedLetters ? data : `${data.slice(0, mostClaimedLetters - 1)}…`;
  if (typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) return data.slice(0, mostClaimed).map((one) => bounded(one));
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, bounded(value)]));
}
