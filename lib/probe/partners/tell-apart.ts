import { fewestInArea } from './pairs.ts';

/** The nodes of each area of one kind, by index. */
type Areas = readonly (readonly number[])[];

type TellApartOptions = {
  /** One list per kind. */
  readonly areas: readonly Areas[];
  /** The partners of each node; `join` adds to them. */
  readonly tested: readonly ReadonlySet<number>[];
  /** The number of a node's bridges. */
  readonly load: (node: number) => number;
  /** Returns false, without adding anything, if one of the nodes can have no more bridges. */
  readonly join: (one: number, other: number) => boolean;
};

/**
 * A single fault that would break its pairs in both directions: of the way between two areas of a kind, or within one; with `other` null, between the
 * area and all others.
 */
type Cause = { readonly kind: number; readonly area: number; readonly other: number | null };

/** A pair that separates two causes may make others alike. That hardly ever happens, so few rounds suffice. */
const mostRounds = 4;

/**
 * Adds pairs until no two causes are tested by exactly the same pairs, because their faults would look the same: for example a zone, and the only one
 * of its subnets that tests with another zone. Causes that would have the same pairs even if all nodes tested with all are one cause with two names.
 */
export function tellApart({ areas, tested, load, join }: TellApartOptions): void {
  // Each node is an area of an additional kind.
  const kinds: readonly Areas[] = [...areas.filter(({ length }) => length > 0), tested.map((_, node) => [node])];
  const areaOf = kinds.map((own) => {
    const of = new Int32Array(tested.length).fill(-1);
    for (const [area, nodes] of own.entries()) for (const node of nodes) of[node] = area;
    return of;
  });
  for (let round = 0; round < mostRounds; round++) {
    let isChanged = false;
    for (const alike of byPairs(kinds, areaOf, tested).values()) {
      if (alike.length < 2) continue;
      const first = alike.find(isWanted);
      if (first === undefined) continue;
      for (const other of alike) {
        if (other === first || isSame(first, other)) continue;
        const pair = pairOf(first, other) ?? pairOf(other, first);
        if (pair !== null && join(...pair)) isChanged = true;
      }
    }
    if (!isChanged) return;
  }

  /** Whether faulty-nodes.ts names the cause: a node, or areas that are larger than a single path. */
  function isWanted({ kind, area, other }: Cause): boolean {
    const nodes = (index: number) => kinds[kind]?.[index]?.length ?? 0;
    if (kind === kinds.length - 1) return true;
    return nodes(area) >= fewestInArea && (other === null || nodes(other) >= fewestInArea);
  }

  /** A pair that a fault of `one` breaks and a fault of `not` does not; null if there is none. */
  function pairOf(one: Cause, not: Cause): [number, number] | null {
    const here = kinds[one.kind]?.[one.area] ?? [];
    const there = one.other === null ? outside(one) : (kinds[one.kind]?.[one.other] ?? []);
    const [left, right] = [here, there].map((nodes) => Map.groupBy(nodes, (node) => areaOf[not.kind]?.[node] ?? -1));
    for (const [from, starts] of left ?? [])
      for (const [to, ends] of right ?? []) {
        if (isBrokenBy(not, from, to)) continue;
        const start = least(starts);
        const end = least(ends.filter((node) => node !== start && !tested[start]?.has(node)));
        if (end !== -1) return [start, end];
      }
    return null;
  }

  /** Whether both are the same nodes under two names, such as a zone with only one subnet. */
  function isSame(one: Cause, another: Cause): boolean {
    const nodes = ({ kind, area }: Cause) => kinds[kind]?.[area]?.join() ?? '';
    const ends = (cause: Cause) => [nodes(cause), cause.other === null ? null : nodes({ ...cause, area: cause.other })];
    const [left, right] = [ends(one).sort(), ends(another).sort()];
    return left.every((end, index) => end === right[index]);
  }

  /** The nodes of all other areas of its kind. */
  function outside({ kind, area }: Cause): number[] {
    return tested.flatMap((_, node) => ([-1, area].includes(areaOf[kind]?.[node] ?? -1) ? [] : [node]));
  }

  function least(nodes: readonly number[]): number {
    let found = nodes[0] ?? -1;
    for (const node of nodes) if (load(node) < load(found)) found = node;
    return found;
  }
}

/** Whether a fault breaks traffic between these areas of its kind; -1: the node is in none. */
function isBrokenBy({ area, other }: Cause, from: number, to: number): boolean {
  if (other === null) return from !== to && from !== -1 && to !== -1 && (from === area || to === area);
  return (from === area && to === other) || (from === other && to === area);
}

/**
 * Groups causes by a number that is equal for equal pairs; two causes with equal numbers by chance only get one pair more. Causes of one pair are
 * left out, because they are that path (faulty-nodes.ts), and areas of one node, because they are that node.
 */
function byPairs(kinds: readonly Areas[], areaOf: readonly Int32Array[], tested: TellApartOptions['tested']) {
  const found = new Map<number, Cause[]>();
  const keep = (sum: number, cause: Cause) => {
    const same = found.get(sum);
    if (same === undefined) found.set(sum, [cause]);
    else same.push(cause);
  };
  for (const [kind, of] of areaOf.entries()) {
    const count = kinds[kind]?.length ?? 0;
    const isNode = kind === areaOf.length - 1;
    const sums = new Int32Array(count);
    const ways = new Map<number, { sum: number; pairs: number }>();
    for (const [one, peers] of tested.entries())
      for (const other of peers) {
        const [from, to] = [of[one] ?? -1, of[other] ?? -1];
        if (one > other || from === -1 || to === -1) continue;
        const number = numberOf(one, other);
        if (from !== to) {
          sums[from] = (sums[from] ?? 0) ^ number;
          sums[to] = (sums[to] ?? 0) ^ number;
        }
        if (isNode) continue;
        const key = Math.min(from, to) * count + Math.max(from, to);
        const way = ways.get(key);
        if (way === undefined) ways.set(key, { sum: number, pairs: 1 });
        else {
          way.sum ^= number;
          way.pairs++;
        }
      }
    for (const [area, sum] of sums.entries())
      if (sum !== 0 && (isNode || (kinds[kind]?.[area]?.length ?? 0) > 1)) keep(sum, { kind, area, other: null });
    for (const [key, { sum, pairs }] of ways)
      if (pairs > 1) keep(sum, { kind, area: Math.floor(key / count), other: key % count });
  }
  return found;
}

/** A number for a pair, spread over 32 bits (the mixing steps of MurmurHash3). */
function numberOf(one: number, other: number): number {
  let mixed = Math.imul(one, 0x9e3779b1) ^ Math.imul(other, 0x85ebca77);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
