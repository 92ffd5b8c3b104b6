import { expect, test } from 'vitest';
import { faultyNodes } from './faulty-nodes.ts';
import { fewestInArea } from './pairs.ts';
import { areaKinds, choosePartners, type NodeLocation, partnersOf } from './partners.ts';
import { dice } from './testing/dice.ts';

const some = (nodes: number, zones: number, subnets: number): NodeLocation[] => {
  const next = dice(nodes * 7919 + zones * 31 + subnets);
  return Array.from({ length: nodes }, () => ({
    zone: zones === 0 ? null : `zone-${Math.floor(next() ** 2 * zones)}`,
    subnet: `10.${Math.floor(next() ** 2 * subnets)}.0.0/24`,
    link: `rack=${Math.floor(next() * subnets * 2)}`,
  }));
};

const clusters: [nodes: number, zones: number, subnets: number][] = [
  ...[1, 2, 3, 32].map((nodes): [number, number, number] => [nodes, 2, 3]),
  ...[33, 64, 256, 257, 500, 1_500].map((nodes): [number, number, number] => [nodes, 3, 9]),
  [300, 0, 1],
  [300, 0, 300],
  [1_000, 16, 32],
  [1_000, 40, 200],
  [5_000, 3, 20],
  [5_000, 6, 1_000],
];

type Join = [from: number, to: number];

function made(...given: [number, number, number]) {
  const nodes = some(...given);
  const partners = choosePartners(nodes);
  const peers = partnersOf(partners);
  const paths = peers.flatMap((own, to) => own.map((from): Join => [from, to]));
  const faults = (isBroken: (from: number, to: number) => boolean) =>
    faultyNodes(
      paths.map(([from, to]) => ({
        ...{ from: `n${from}`, to: `n${to}` },
        arrives: isBroken(from, to) ? ('none' as const) : ('full' as const),
      })),
      ({ arrives }) => arrives === 'full',
      'nothing',
      areaKinds.map((kind) => ({
        kind,
        of: (name: string) => nodes[Number(name.slice(1))]?.[kind] ?? null,
      })),
    );
  return { nodes, partners, peers, paths, faults };
}

test.each(clusters)('of %i nodes in %i zones and %i subnets each tests, with others that test with it', (...given) => {
  const { nodes, partners, peers } = made(...given);
  expect(partners.groups.flat().sort((one, other) => one - other)).toEqual(nodes.map((_, index) => index));
  expect(Math.max(...partners.groups.map(({ length }) => length))).toBeLessThanOrEqual(nodes.length > 256 ? 128 : 256);
  const sets = peers.map((own) => new Set(own));
  const [least, most] = nodes.length <= 32 ? [nodes.length - 1, nodes.length - 1] : [9, 80];
  // A single node has no partners.
  expect(Math.min(...peers.map(({ length }) => length))).toBeGreaterThanOrEqual(least);
  expect(Math.max(...peers.map(({ length }) => length))).toBeLessThanOrEqual(most);
  const isOdd = (own: readonly number[], index: number) =>
    new Set(own).size !== own.length || own.includes(index) || own.some((peer) => !sets[peer]?.has(index));
  expect(peers.filter(isOdd)).toEqual([]);
});

test.each(clusters)('of %i nodes in %i zones and %i subnets no two bridges of a node have one colour', (...given) => {
  const { bridges, missing } = made(...given).partners;
  expect(missing).toBe(0);
  const taken = bridges.flatMap(({ ends, colour }) => ends.map((end) => `${end} ${colour}`));
  expect(new Set(taken).size).toBe(taken.length);
  expect(bridges.every(({ colour }) => colour < 128)).toBe(true);
});

test.each([2, 3])('machines of %i nodes each, which are many, add next to no pairs', (nodesOfLink) => {
  const zoned = some(5_000, 3, 40).map(({ zone, subnet }) => ({ zone: zone ?? null, subnet: subnet ?? null }));
  const linked = zoned.map((node, index) => ({ ...node, link: `machine=${Math.floor(index / nodesOfLink)}` }));
  const [alone, more] = [zoned, linked].map((nodes) => choosePartners(nodes).bridges.length);
  expect(more).toBeLessThan((alone ?? 0) + 100);
});

test('bridges that nodes can have no more are counted, each once, and are not taken for made', () => {
  const nodes = some(300, 16, 32);
  const [all, few] = [choosePartners(nodes), choosePartners(nodes, 1)];
  expect(few.bridges.every(({ colour }) => colour === 0)).toBe(true);
  const ends = few.bridges.flatMap((bridge) => bridge.ends);
  expect(new Set(ends).size).toBe(ends.length);
  expect(few.missing).toBeGreaterThan(0);
  const none = choosePartners(nodes, 0);
  expect([none.bridges, none.missing > 0, none.missing <= all.bridges.length]).toEqual([[], true, true]);
});

/** Names of zones or subnets with their nodes. */
const areasOf = (nodes: readonly NodeLocation[], kind: keyof NodeLocation) =>
  Map.groupBy(
    nodes.flatMap((node, index) => (node[kind] == null ? [] : [{ index, name: node[kind] }])),
    ({ name }) => name,
  );

test.each(clusters)(
  'of %i nodes in %i zones and %i subnets every area of four nodes or more is tested, and every two up to 32',
  (...given) => {
    const { nodes, paths } = made(...given);
    const lacking: string[] = [];
    for (const kind of areaKinds) {
      const areas = areasOf(nodes, kind);
      const tested = Map.groupBy(paths, ([from, to]) => `${nodes[from]?.[kind]} ${nodes[to]?.[kind]}`);
      // A smaller area is a node or a path.
      const large = [...areas].filter(([, own]) => own.length >= fewestInArea);
      for (const [one] of large) {
        const others = large.flatMap(([other]) => (other === one ? [] : [other]));
        const isUntested = !tested.has(`${one} ${one}`);
        const met = others.filter((other) => tested.has(`${one} ${other}`) && tested.has(`${other} ${one}`));
        if (met.length < (large.length <= 32 ? others.length : 3) || isUntested) lacking.push(`${kind} ${one}`);
      }
      if (large.length > 32) continue;
      // Otherwise a fault of one node would look like one of the way.
      for (const [key, those] of tested) {
        const sizes = key.split(' ').map((name) => areas.get(name)?.length ?? 0);
        if (Math.min(...sizes) < fewestInArea) continue;
        const inAll = those[0]?.filter((node) => those.every((pair) => pair.includes(node)));
        expect(inAll).toEqual([]);
      }
    }
    expect(lacking).toEqual([]);
  },
);

test.each(clusters.filter(([nodes]) => nodes > 2))(
  'of %i nodes in %i zones and %i subnets one that is cut off is named alone, one path where it ends',
  (...given) => {
    const { nodes, paths, faults } = made(...given);
    const next = dice(nodes.length);
    for (let turn = 0; turn < 2; turn++) {
      const bad = Math.floor(next() * nodes.length);
      expect([...faults((from, to) => from === bad || to === bad)]).toEqual([
        [`n${bad}`, 'nothing arrives there from any node, and nothing of it arrives at any node'],
      ]);
      const [from, to] = paths[Math.floor(next() * paths.length)] as Join;
      expect([...faults((one, other) => one === from && other === to)]).toEqual([
        [`n${to}`, `nothing arrives there from n${from}`],
      ]);
    }
  },
);

test.each(clusters.filter(([nodes, zones]) => nodes > 32 && zones > 1 && zones <= 32))(
  'of %i nodes in %i zones and %i subnets the way from one zone into another that is broken is named, and nothing else',
  (...given) => {
    const { nodes, faults } = made(...given);
    const zones = areasOf(nodes, 'zone');
    const [one = '', other = ''] = [...zones.keys()];
    const found = faults((from, to) => nodes[from]?.zone === one && nodes[to]?.zone === other);
    expect(found.size).toBeGreaterThanOrEqual(1);
    const isNamed = [one, other].every((zone) => (zones.get(zone)?.length ?? 0) >= 4);
    for (const [node, words] of found) {
      expect(nodes[Number(node.slice(1))]?.zone).toBe(other);
      if (isNamed) expect(words).toBe(`nothing arrives in zone ${other} from zone ${one}`);
    }
  },
);

test.each([64, 300, 1_000])(
  'of %i nodes, half of them without an address, those that have one test as if there were no others',
  (count) => {
    const next = dice(count);
    const nodes = some(count, 3, 9).map((node) => ({ ...node, address: next() < 0.5 ? null : '10.0.0.1' }));
    const partners = choosePartners(nodes);
    const canTest = (index: number) => nodes[index]?.address !== null;
    expect(partners.bridges.filter(({ ends }) => !ends.every(canTest))).toEqual([]);
    const paths = partnersOf(partners).flatMap((own, to) => own.map((from): Join => [from, to]));
    const tested = paths.filter((ends) => ends.every(canTest));
    expect(tested).toEqual(paths);
    const able = nodes.flatMap((_, index) => (canTest(index) ? [index] : []));
    expect([...partners.groups.flat()].sort((one, other) => one - other)).toEqual(able);
    const peers = Map.groupBy(tested, ([from]) => from);
    expect(Math.min(...able.map((index) => peers.get(index)?.length ?? 0))).toBeGreaterThanOrEqual(9);
    for (const kind of areaKinds) {
      const indexes = areasOf(nodes, kind);
      const sizes = [...indexes].map(
        ([name, own]) => [name, own.filter(({ index }) => canTest(index)).length] as const,
      );
      const able = sizes.filter(([, size]) => size >= 4).map(([name]) => name);
      // There are many links.
      expect(able.length).toBeGreaterThan(kind === 'link' ? 0 : 1);
      const between = Map.groupBy(tested, ([from, to]) => `${nodes[from]?.[kind]} ${nodes[to]?.[kind]}`);
      for (const one of able)
        for (const other of able) {
          const those = between.get(`${one} ${other}`) ?? [];
          const areApart = (pair: Join) => those.some((each) => !each.some((end) => pair.includes(end)));
          expect([one, other, those.some(areApart)]).toEqual([one, other, true]);
        }
    }
  },
);

test('5,000 nodes take no more than 100 ms of the processor', () => {
  const nodes = some(5_000, 3, 40);
  // The least of several runs, because a busy machine slows some of them.
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    choosePartners(nodes);
    return process.cpuUsage(before).user / 1_000;
  });
  console.log(`partners of 5,000 nodes: ${Math.round(Math.min(...times))} ms`);
  expect(Math.min(...times)).toBeLessThanOrEqual(100);
});
