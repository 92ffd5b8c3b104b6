import type { Journal } from '../model/journal.ts';

/** Longest text in a journal that this installation did not write: as long as a pause of ours may be (engine/pause.ts). */
const mostClaimedLetters = 2_000;
/** Longest list in it. A run of 5,000 nodes has an entry for each. */
const mostClaimed = 10_000;

/**
 * Somebody else's journal in the form that faces show: texts are bounded, and parts of titles come from us. The goal is the plan's, which is one of a
 * table; the cluster has our name for it; the releases of an upgrade are left out. Pure.
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
