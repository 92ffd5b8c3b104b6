import { allPairsUpTo, fewestInArea, peersOf, strides } from './pairs.ts';
import { tellApart } from './tell-apart.ts';

/**
 * Where a node stands, which its partners are chosen by; null: not known. `link`: what it shares with others on its way to the network, the switch of a rack
 * or the card of a machine, so far as a label of the node names it (lib/spec: linkOf); the node's own link is its alone, and counts as the node. `address`:
 * null: it has none, and tests with nobody; left out: it has one.
 */
export type Placed = {
  readonly zone?: string | null;
  readonly subnet?: string | null;
  readonly link?: string | null;
  readonly address?: string | null;
};

/** What nodes have in common with others. */
export const areaKinds = ['zone', 'subnet', 'link'] as const;

/** Two nodes that test with each other beyond their groups. `colour`: below 128, no other bridge of either has it. */
export type Bridge = { readonly ends: readonly [number, number]; readonly colour: number };

/** Nodes by their place in the list that was given. */
export type Partners = {
  /** Every node that has an address is in one. Within it nodes test as pairs.ts says, in this order. */
  readonly groups: readonly (readonly number[])[];
  readonly bridges: readonly Bridge[];
  /** How many more were wanted between nodes that can have no more: what is named is less certain there. */
  readonly missing: number;
  /** Those without an address, which test with nobody. */
  readonly others: readonly number[];
};

/** Test addresses have 8 bits for a place in a group. */
const mostInGroup = 256;
/** Where there are several: each pod's spec names the addresses of its group, and each DaemonSet its nodes, and etcd keeps all of them (etcd-history.ts). */
const mostInGroups = 128;
const mostColours = 128;
/** Up to so many zones, subnets or links, every two of them are joined; beyond that each within itself. */
const allJoinedUpTo = 32;

/**
 * Who tests with whom, so that a single bad node or path is named. Up to 32 nodes that is everybody. Beyond, each has some 2·log2 partners in its group,
 * which tell a node that nobody hears from a path that is broken; and bridges see to it that there are two pairs without a node in common within each zone,
 * subnet and link of four nodes or more, and between every two of up to 32 of a kind: a fault of one node is then not taken for one of the way between them.
 * Further ones see to it that no two causes are tested by the same pairs (tell-apart.ts), so that faulty-nodes.ts names the right one. Fewer pairs where so many are not to be had. Deterministic. `colourCount`: so many bridges a node has at
 * most.
 */
export function choosePartners(nodes: readonly Placed[], colourCount = mostColours): Partners {
  const groups = groupsOf(nodes);
  const others = nodes.flatMap(({ address }, place) => (address === null ? [place] : []));
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
  // Where everybody tests with everybody two causes with the same pairs are one.
  if (nodes.length - others.length > allPairsUpTo) tellApart({ areas, tested, load, join });
  return { groups, bridges, others, missing: refused.size };
}

/** Of each node, those that it tests with. */
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

/** Neighbours of a zone or subnet go into different groups: each is a sample of the whole. Whoever has no address would be a gap in its group. */
function groupsOf(nodes: readonly Placed[]): number[][] {
  const places = nodes.flatMap(({ address }, place) => (address === null ? [] : [place]));
  if (places.length <= mostInGroup) return [places];
  const keys = nodes.map(({ zone, subnet, link }) => `${zone ?? ''}\n${subnet ?? ''}\n${link ?? ''}`);
  places.sort((one, other) => {
    const [left = '', right = ''] = [keys[one], keys[other]];
    return left < right ? -1 : left > right ? 1 : one - other;
  });
  const count = Math.ceil(places.length / mostInGroups);
  return Array.from({ length: count }, (_, group) => places.filter((_, index) => index % count === group));
}

function peersWithin(groups: readonly (readonly number[])[], nodes: number): number[][] {
  const found: number[][] = Array.from({ length: nodes }, () => []);
  for (const group of groups)
    for (const [place, node] of group.entries())
      found[node] = peersOf(place, group.length).map((peer) => group[peer] as number);
  return found;
}

/** Nodes of each zone, subnet or link, by name; those of which it is not known are in none, nor those without an address. */
function areasBy(nodes: readonly Placed[], kind: (typeof areaKinds)[number]): number[][] {
  const byName = new Map<string, number[]>();
  for (const [place, node] of nodes.entries()) {
    const name = node[kind];
    if (name == null || node.address === null) continue;
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [place]);
    else same.push(place);
  }
  return [...byName].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, places]) => places);
}

/** Of so many areas those that have to be joined, each with itself too: the smaller first. */
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

/** Up to two pairs that test already, by the two areas that they join. */
function disjointPairs(areas: readonly (readonly number[])[], tested: readonly ReadonlySet<number>[]) {
  const areaOf = new Map(areas.flatMap((places, area) => places.map((place) => [place, area] as const)));
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

/** Two that do not test with each other yet, and have the fewest bridges. */
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
