import { allPairsUpTo, fewestInArea, peersOf, strides } from './pairs.ts';
import { tellApart } from './tell-apart.ts';

/**
 * The location of a node, by which its partners are chosen; null: unknown. `link`: the part of its way to the network that it shares with other
 * nodes, such as the switch of a rack or the card of a machine, if a label of the node names it (lib/spec: linkOf). `address` null: it has none and
 * tests with nobody; left out: it has one.
 */
export type NodeLocation = {
  readonly zone?: string | null;
  readonly subnet?: string | null;
  readonly link?: string | null;
  readonly address?: string | null;
};

/** The kinds of areas that nodes share. */
export const areaKinds = ['zone', 'subnet', 'link'] as const;

/** Two nodes that test with each other across groups. `colour`: below 128; different from those of all other bridges of either node. */
type Bridge = { readonly ends: readonly [number, number]; readonly colour: number };

/** Nodes are given by their index in the list. */
export type Partners = {
  /** Every node with an address is in one group. Nodes of a group test as in pairs.ts, in this order. */
  readonly groups: readonly (readonly number[])[];
  readonly bridges: readonly Bridge[];
  /** The number of wanted bridges for which a node had no room: causes there are less certain. */
  readonly missing: number;
  /** Nodes without an address, which test with nobody. */
  readonly others: readonly number[];
};

/** Test addresses have 8 bits for the index in a group. */
const mostInGroup = 256;
/** With several groups: each pod's spec contains the addresses of its group, each DaemonSet its nodes, and etcd keeps all of it (etcd-history.ts). */
const mostInGroups = 128;
const mostColours = 128;
/** Up to this many zones, subnets or links, all pairs of them are joined; above, only each within itself and with some others. */
const allJoinedUpTo = 32;

/**
 * Decides who tests with whom, so that a single bad node or path can be named. Up to 32 nodes test with all others. Above, each has some 2·log2
 * partners in its group, which tell a node that nobody hears from a broken path. Bridges add two pairs without a common node within each zone, subnet
 * and link of four nodes or more, and between every two of up to 32 of a kind, so that a fault of one node is not taken for one of the way between
 * them. Further bridges make sure that no two causes are tested by the same pairs (tell-apart.ts), so that faulty-nodes.ts names the right one. Where
 * nodes are too few there are fewer pairs. Deterministic. `colourCount`: the most bridges of a node.
 */
export function choosePartners(nodes: readonly NodeLocation[], colourCount = mostColours): Partners {
  const groups = groupsOf(nodes);
  const others = nodes.flatMap(({ address }, index) => (address === null ? [index] : []));
  const tested = peersWithin(groups, nodes.length).map((peers) => new Set(peers));
  const colours = nodes.map(() => new Set<number>());
  const bridges: Bridge[] = [];
  const refused = new Set<string>();
  const join = (one: number, other: number): boolean => {
    const [mine, theirs] = [colours[one], colours[other]];
    let colour = 0;
    while (mine?.has(colour) || theirs?.has(colour)) colour++;
    if (colour >= colourCount) {
      refused.add(`${one} ${other}`);
      return false;
    }
    for (const taken of [mine, theirs]) taken?.add(colour);
    tested[one]?.add(other);
    tested[other]?.add(one);
    bridges.push({ ends: [one, other], colour });
    return true;
  };
  const load = (node: number) => colours[node]?.size ?? 0;
  const areas = areaKinds.map((kind) => areasBy(nodes, kind));
  for (const all of areas) {
    const own = all.filter(({ length }) => length >= fewestInArea);
    const pairs = disjointPairs(own, tested);
    for (const [from, to] of joins(own.length)) {
      const [here, there] = [own[from] ?? [], own[to] ?? []];
      const have = pairs.get(from * own.length + to) ?? [];
      while (have.length < wantedPairs(here, there)) {
        const pair = freePair(here, there, { have, tested, load });
        if (pair === null || !join(...pair)) break;
        have.push(pair);
      }
    }
  }
  // If all test with all, two causes with the same pairs are one cause.
  if (nodes.length - others.length > allPairsUpTo) tellApart({ areas, tested, load, join });
  return { groups, bridges, others, missing: refused.size };
}

/** For each node, the nodes with which it tests. */
export function partnersOf({ groups, bridges, others }: Partners): number[][] {
  const found = peersWithin(groups, groups.flat().length + others.length);
  for (const {
    ends: [one, other],
  } of bridges) {
    found[one]?.push(other);
    found[other]?.push(one);
  }
  return found;
}

type Pair = [number, number];

/**
 * Distributes neighbours of a zone or subnet over different groups, so that each group is a sample of the whole. A node without address would be a
 * gap in its group.
 */
function groupsOf(nodes: readonly NodeLocation[]): number[][] {
  const indexes = nodes.flatMap(({ address }, index) => (address === null ? [] : [index]));
  if (indexes.length <= mostInGroup) return [indexes];
  const keys = nodes.map(({ zone, subnet, link }) => `${zone ?? ''}\n${subnet ?? ''}\n${link ?? ''}`);
  indexes.sort((one, other) => {
    const [left = '', right = ''] = [keys[one], keys[other]];
    return left < right ? -1 : left > right ? 1 : one - other;
  });
  const count = Math.ceil(indexes.length / mostInGroups);
  return Array.from({ length: count }, (_, group) => indexes.filter((_, index) => index % count === group));
}

function peersWithin(groups: readonly (readonly number[])[], nodes: number): number[][] {
  const found: number[][] = Array.from({ length: nodes }, () => []);
  for (const group of groups)
    for (const [index, node] of group.entries())
      found[node] = peersOf(index, group.length).map((peer) => group[peer] as number);
  return found;
}

/** The nodes of each zone, subnet or link, in the order of its name. Nodes whose area is unknown, and nodes without an address, are left out. */
function areasBy(nodes: readonly NodeLocation[], kind: (typeof areaKinds)[number]): number[][] {
  const byName = new Map<string, number[]>();
  for (const [index, node] of nodes.entries()) {
    const name = node[kind];
    if (name == null || node.address === null) continue;
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [index]);
    else same.push(index);
  }
  return [...byName].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, indexes]) => indexes);
}

/** The pairs of areas that must be joined, each with itself too; the smaller index first. */
function joins(areas: number): Pair[] {
  const all = Array.from({ length: areas }, (_, area) => area);
  const distances = areas <= allJoinedUpTo ? [0, ...strides(areas)] : [0];
  const keys = new Set(
    all.flatMap((area) =>
      distances.map((distance) => {
        const other = (area + distance) % areas;
        return Math.min(area, other) * areas + Math.max(area, other);
      }),
    ),
  );
  return [...keys].map((key) => [Math.floor(key / areas), key % areas]);
}

const wantedPairs = (here: readonly number[], there: readonly number[]) =>
  here === there ? Math.min(Math.floor(here.length / 2), 2) : Math.min(here.length, there.length, 2);

/** Up to two pairs that already test, for each pair of areas. */
function disjointPairs(areas: readonly (readonly number[])[], tested: readonly ReadonlySet<number>[]) {
  const areaOf = new Map(areas.flatMap((indexes, area) => indexes.map((index) => [index, area] as const)));
  const found = new Map<number, Pair[]>();
  for (const [one, peers] of tested.entries())
    for (const other of peers) {
      const [from, to] = [areaOf.get(one), areaOf.get(other)];
      if (from === undefined || to === undefined || from > to || (from === to && one > other)) continue;
      const key = from * areas.length + to;
      const have = found.get(key) ?? [];
      if (have.length >= 2 || have.some((pair) => pair.includes(one) || pair.includes(other))) continue;
      found.set(key, [...have, [one, other]]);
    }
  return found;
}

type Taken = {
  readonly have: readonly Pair[];
  readonly tested: readonly ReadonlySet<number>[];
  readonly load: (node: number) => number;
};

/** Two nodes that do not test with each other yet, with the fewest bridges. */
function freePair(here: readonly number[], there: readonly number[], { have, tested, load }: Taken): Pair | null {
  const taken = new Set(have.flat());
  const byLoad = (nodes: readonly number[]) =>
    nodes.filter((node) => !taken.has(node)).sort((one, other) => load(one) - load(other));
  const others = byLoad(there);
  for (const one of byLoad(here)) {
    const other = others.find((node) => node !== one && !tested[one]?.has(node));
    if (other !== undefined) return [one, other];
  }
  return null;
}
