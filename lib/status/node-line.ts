import type { Verdict } from '#lib/node-state/index.ts';

/**
 * A node in the status, with its verdict except for the evidence. Optional fields are absent for a node in the wanted state, because there may be 5,000 of
 * them. `ready`: the Node's condition, not its agent's. `seen`: for a node on a data plane that was not seen there since its configuration changed: seen before
 * the change, or not at all.
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

/** The verdict of a line, without evidence. */
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
