import type { Backend } from './entries.ts';

/**
 * A list in the order of its slots: who has one keeps it where that is below the new length, the others fill what is free. One endpoint that comes or goes is
 * one or two writes, however long the list is, and no slot ever shows a backend twice because all moved up. None of `wanted` may be in it twice.
 */
export function inSlots(wanted: readonly Backend[], present: readonly (Backend | undefined)[]): readonly Backend[] {
  if (present.length === 0) return wanted;
  const left = new Map(wanted.map((one) => [backendKey(one), one]));
  const slots = wanted.map((_, slot) => {
    const here = present[slot];
    const kept = here && left.get(backendKey(here));
    if (kept) left.delete(backendKey(kept));
    return kept;
  });
  const rest = left.values();
  return slots.map((one) => one ?? rest.next().value).filter((one) => one !== undefined);
}

export const backendKey = ({ address, port }: Pick<Backend, 'address' | 'port'>) => `${address}/${port}`;

export function sameBackend(a: Backend | undefined, b: Backend | undefined): boolean {
  return (
    a === b ||
    (a !== undefined &&
      b !== undefined &&
      a.address === b.address &&
      a.port === b.port &&
      a.node === b.node &&
      a.isLocal === b.isLocal &&
      a.isHost === b.isHost)
  );
}
