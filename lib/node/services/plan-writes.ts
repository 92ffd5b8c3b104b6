import { type ClientRange, frontKey, type Lists, listKinds } from './entries.ts';
import { type FrontAddress, type FrontValue, type Present, rangeKey, type Write } from './present.ts';
import { inSlots, sameBackend } from './slots.ts';

/** What certain parts of the maps must contain. Parts that it does not name stay unchanged. */
export type WantedEntries = {
  /** A null value deletes the front. */
  readonly fronts: readonly { readonly front: FrontAddress; readonly value: FrontValue | null }[];
  /** By the number of a Service's port; null deletes its lists and ranges. */
  readonly lists: ReadonlyMap<number, WantedLists | null>;
};

export type WantedLists = {
  readonly lists: Lists;
  readonly ranges: readonly ClientRange[];
};

/**
 * The writes that bring the maps to the wanted content, in an order in which every lookup finds a backend after each write (bpf/service.h): first
 * deleted fronts, then new slots and ranges, then new and changed fronts, then slots and ranges to which no front leads any more. The agent may be
 * killed after any write; the next plan continues from there.
 */
export function planWrites(present: Present, wanted: WantedEntries): Write[] {
  const deletedFronts: Write[] = [];
  const fronts: Write[] = [];
  for (const { front, value } of wanted.fronts) {
    const known = present.fronts.get(frontKey(front));
    if (value === null) {
      if (known) deletedFronts.push({ map: 'services', front, value });
    } else if (!known || !sameValue(known.value, value)) fronts.push({ map: 'services', front, value });
  }
  const filled: Write[] = [];
  const emptied: Write[] = [];
  for (const [id, list] of wanted.lists) {
    planSlots(present, id, list?.lists ?? { cluster: [], local: [] }, { filled, emptied });
    planRanges(present, id, list?.ranges ?? [], { filled, emptied });
  }
  return [...deletedFronts, ...filled, ...fronts, ...emptied];
}

function planSlots(present: Present, id: number, lists: Lists, out: { filled: Write[]; emptied: Write[] }): void {
  const known = present.slots(id);
  for (const list of listKinds) {
    const before = known?.[list] ?? [];
    const after = inSlots(lists[list], before);
    after.forEach((value, slot) => {
      if (!sameBackend(before[slot], value)) out.filled.push({ map: 'backends', id, list, slot, value });
    });
    for (let slot = before.length - 1; slot >= after.length; slot--)
      if (before[slot]) out.emptied.push({ map: 'backends', id, list, slot, value: null });
  }
}

function planRanges(
  present: Present,
  id: number,
  ranges: readonly ClientRange[],
  out: { filled: Write[]; emptied: Write[] },
): void {
  const before = present.ranges(id);
  const known = new Set(before.map(rangeKey));
  const next = new Set(ranges.map(rangeKey));
  for (const range of ranges)
    if (!known.has(rangeKey(range))) out.filled.push({ map: 'source_ranges', id, range, value: 1 });
  for (const range of before)
    if (!next.has(rangeKey(range))) out.emptied.push({ map: 'source_ranges', id, range, value: null });
}

function sameValue(a: FrontValue, b: FrontValue): boolean {
  return (
    a.id === b.id &&
    a.counts.cluster === b.counts.cluster &&
    a.counts.local === b.counts.local &&
    a.affinityS === b.affinityS &&
    a.flags.length === b.flags.length &&
    a.flags.every((flag) => b.flags.includes(flag))
  );
}
