import type { Backend } from './entries.ts';

/**
 * A list in the order of its slots: a backend keeps its slot if that is below the new length, the others fill the free ones. So one changed endpoint
 * costs one or two writes however long the list is, and no lookup meets a backend twice while others move up. `wanted` must have no duplicates.
 */
export function inSlots(wanted: readonly Backend[], present: readonly (Backend | undefined)[]): readonly Backend[] {
  if (present.length === 0) return wanted;
  const left = new Map(wanted.map((one) => [backendKey(one), one]));
  const slots = wanted.map((_, slot) => {
    const here = present[slot];
    const staying = here && left.get(backendKey(here));
    if (staying) left.delete(backendKey(staying));
    return staying;
  });
  const rest = left.values();
  return slots.map((one) => one ?? rest.next().value).filter((one) => one !== undefined);
}

/** Identifies a backend in a list, by address and port. */
export const backendKey = ({ address, port }: Pick<Backend, 'address' | 'port'>) => `${address}/${port}`;

/** Whether two slots have equal content. */
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
