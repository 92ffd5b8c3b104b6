import type { Verdict } from '#lib/node-state/index.ts';

/**
 * A node on one of the two tracks: what status says of it, and of its verdict all but the evidence, told so that a node that is where it should be adds
 * nothing: there may be 5,000 of them. `ready`: what the Node itself says, not its agent. `seen`: of one that is on a data plane, where it was not seen
 * there since its configuration changed: seen before that, or not at all.
 */
export type NodeLine = { name: string; ready: boolean } & Pick<Verdict, 'plane' | 'because'> & {
    awaits?: NonNullable<Verdict['awaits']>;
    seen?: 'before-change' | 'not';
  };

export function lineOf({ name, ready }: { name: string; ready: boolean }, verdict: Verdict): NodeLine {
  const { plane, because, awaits, seen } = verdict;
  const isOnPlane = plane === 'bpf' || plane === 'standard';
  return {
    name,
    ready,
    plane,
    because,
    ...(awaits === null ? {} : { awaits }),
    ...(isOnPlane && !seen?.sinceChange ? { seen: seen === null ? 'not' : 'before-change' } : {}),
  };
}

/** The verdict that a line tells. */
export function verdictOf({ plane, because, awaits, seen }: NodeLine): Verdict {
  const isSeen = (plane === 'bpf' || plane === 'standard') && seen !== 'not';
  return {
    plane,
    because,
    seen: isSeen ? { plane, sinceChange: seen === undefined } : null,
    awaits: awaits ?? null,
    evidence: [],
  };
}
