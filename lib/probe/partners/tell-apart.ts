import { fewestInArea } from './pairs.ts';

/** Nodes of each area, of one kind, by place. */
type Areas = readonly (readonly number[])[];

type Asked = {
  /** Of each kind. */
  readonly areas: readonly Areas[];
  /** Of each node, those that it tests with; `join` adds to it. */
  readonly tested: readonly ReadonlySet<number>[];
  /** How many bridges a node has. */
  readonly load: (node: number) => number;
  /** False: these nodes can have no more, and nothing was added. */
  readonly join: (one: number, other: number) => boolean;
};

/** What alone would break its pairs, both ways: the way between two areas of a kind, or within one; with `other` null the area with all others. */
type Cause = { readonly kind: number; readonly area: number; readonly other: number | null };

/** Adding a pair for two causes may make others alike; that ends soon, as it hardly ever happens. */
const mostRounds = 4;

/**
 * Adds pairs until no two causes are tested by exactly the same ones, as a fault of either would look the same: say of a zone and of the one subnet of it that
 * tests with another zone. What has the same pairs even where all are tested is one cause with two names.
 */
export function tellApart({ areas, tested, load, join }: Asked): void {
  // A node is an area of its own kind.
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

  /** A node, or what is more than a single path. */
  function isWanted({ kind, area, other }: Cause): boolean {
    const nodes = (place: number) => kinds[kind]?.[place]?.length ?? 0;
    if (kind === kinds.length - 1) return true;
    return nodes(area) >= fewestInArea && (other === null || nodes(other) >= fewestInArea);
  }

  /** One that a fault of the first breaks, and one of the second does not; null: there is none. */
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

  /** The same nodes by another name, as of a zone that is one subnet. */
  function isSame(one: Cause, another: Cause): boolean {
    const nodes = ({ kind, area }: Cause) => kinds[kind]?.[area]?.join() ?? '';
    const ends = (cause: Cause) => [nodes(cause), cause.other === null ? null : nodes({ ...cause, area: cause.other })];
    const [left, right] = [ends(one).sort(), ends(another).sort()];
    return left.every((end, index) => end === right[index]);
  }

  /** Nodes of all its other areas. */
  function outside({ kind, area }: Cause): number[] {
    return tested.flatMap((_, node) => ([-1, area].includes(areaOf[kind]?.[node] ?? -1) ? [] : [node]));
  }

  function least(nodes: readonly number[]): number {
    let found = nodes[0] ?? -1;
    for (const node of nodes) if (load(node) < load(found)) found = node;
    return found;
  }
}

/** Whether a fault breaks what goes between these areas of its kind; -1: of a node that is in none. */
function isBrokenBy({ area, other }: Cause, from: number, to: number): boolean {
  if (other === null) return from !== to && from !== -1 && to !== -1 && (from === area || to === area);
  return (from === area && to === other) || (from === other && to === area);
}

/**
 * Causes by a number that is the same for the same pairs; two that have one by chance only get a pair more. Of one pair it is the path (faulty-nodes.ts), and an
 * area of one node is that node: they are left out.
 */
function byPairs(kinds: readonly Areas[], areaOf: readonly Int32Array[], tested: Asked['tested']) {
  const found = new Map<number, Cause[]>();
  const keep = (sum: number, cause: Cause) => {
    const same = found.get(sum);
    if (same === undefined) found.set(sum, [cause]);
    else same.push(cause);
  };
  for (const [kind, of] of areaOf.entries()) {
    const count = kinds[kind]?.length ?? 0;
    const isNode = kind === areaOf.length - 1;
    const whole = new Int32Array(count);
    const ways = new Map<number, { sum: number; pairs: number }>();
    for (const [one, peers] of tested.entries())
      for (const other of peers) {
        const [from, to] = [of[one] ?? -1, of[other] ?? -1];
        if (one > other || from === -1 || to === -1) continue;
        const number = numberOf(one, other);
        if (from !== to) {
          whole[from] = (whole[from] ?? 0) ^ number;
          whole[to] = (whole[to] ?? 0) ^ number;
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
    for (const [area, sum] of whole.entries())
      if (sum !== 0 && (isNode || (kinds[kind]?.[area]?.length ?? 0) > 1)) keep(sum, { kind, area, other: null });
    for (const [key, { sum, pairs }] of ways)
      if (pairs > 1) keep(sum, { kind, area: Math.floor(key / count), other: key % count });
  }
  return found;
}

/** Of a pair, spread over 32 bits (the mixing steps of MurmurHash3). */
function numberOf(one: number, other: number): number {
  let mixed = Math.imul(one, 0x9e3779b1) ^ Math.imul(other, 0x85ebca77);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
