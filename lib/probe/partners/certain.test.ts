import { expect, test } from 'vitest';
import { faultyNodes, type LargestArrival } from './faulty-nodes.ts';
import { fewestInArea } from './pairs.ts';
import { areaKinds, choosePartners, type NodeLocation, partnersOf } from './partners.ts';
import { dice } from './testing/dice.ts';

/** Random clusters with one bad node or one bad path: exactly that must be named. */

type Kind = (typeof areaKinds)[number];
/** Nothing passes from one area to the other; `to` null: to any other, `from` null: from any other. */
type Path = {
  readonly kind: Kind;
  readonly from: string | null;
  readonly to: string | null;
  readonly bothWays: boolean;
};

const chosen = <T>(next: () => number, from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;

/** Machines are in racks and racks in zones, or the three are unrelated; some areas are unknown. */
function aCluster(seed: number): NodeLocation[] {
  const next = dice(seed);
  const count = chosen(next, [33, 40, 64, 100, 256, 257, 400, 600]);
  const areas = chosen(next, [2, 3, 6, 12]);
  const isNested = next() < 0.6;
  const skew = chosen(next, [1, 2, 3, 8]);
  const unknown = chosen(next, [0, 0, 0.1]);
  const index = (of: number) => Math.floor(next() ** skew * of);
  return Array.from({ length: count }, () => {
    const zone = index(chosen(next, [areas]));
    const link = isNested ? `${zone}-${index(3)}` : `${index(areas * 2)}`;
    const subnet = isNested && next() < 0.5 ? `${zone}-${index(2)}` : `${index(areas)}`;
    const known = (name: string) => (next() < unknown ? null : name);
    return {
      ...{ zone: known(`z${zone}`), link: known(`rack=${link}`), subnet: known(`10.${subnet}`) },
      address: next() < unknown ? null : '10.0.0.1',
    };
  });
}

const count = 24;

function testing(nodes: readonly NodeLocation[]) {
  const names = (kind: Kind) => [...new Set(nodes.flatMap((node) => node[kind] ?? []))];
  const indexes = (kind: Kind, name: string) =>
    nodes.flatMap((node, index) => (node[kind] === name && node.address !== null ? [index] : []));
  const pairs = partnersOf(choosePartners(nodes)).flatMap((own, to) =>
    own
      .filter((from) => [from, to].every((end) => nodes[end]?.address !== null))
      .map((from): [number, number] => [from, to]),
  );
  const areas = areaKinds.map((kind) => ({ kind, of: (name: string) => nodes[Number(name.slice(1))]?.[kind] ?? null }));
  const faults = (isBroken: (from: number, to: number) => boolean) =>
    Object.fromEntries(
      faultyNodes(
        pairs.map(([from, to]): LargestArrival => {
          return { from: `n${from}`, to: `n${to}`, arrives: isBroken(from, to) ? 'none' : 'full' };
        }),
        ({ arrives }) => arrives === 'full',
        'nothing',
        areas,
      ),
    );
  return { nodes, pairs, indexes, names, faults };
}

const tested = (seed: number) => testing(aCluster(seed));

const areApart = (pair: readonly number[], pairs: readonly (readonly number[])[]) =>
  pairs.some((other) => !other.some((end) => pair.includes(end)));

/** Whether a fault of this path breaks the one between these nodes. */
function breaks(
  { kind, from, to, bothWays }: Path,
  one: NodeLocation | undefined,
  other: NodeLocation | undefined,
): boolean {
  const [start, end] = [one?.[kind] ?? null, other?.[kind] ?? null];
  if (start === null || end === null) return false;
  const isOn = (begin: string | null, stop: string | null) =>
    from === null || to === null
      ? begin !== stop && (from === null ? stop === to : begin === from)
      : begin === from && stop === to;
  return isOn(start, end) || (bothWays && isOn(end, start));
}

function inWords({ kind, from, to, bothWays }: Path): string {
  const name = from ?? to;
  if (from !== null && from === to) return `nothing passes within ${kind} ${name}`;
  if (from === null || to === null) {
    if (bothWays) return `nothing passes between ${kind} ${name} and any other ${kind}`;
    return from === null
      ? `nothing arrives in ${kind} ${name} from any other`
      : `nothing from ${kind} ${name} arrives in any other`;
  }
  const [one, other] = [from, to].sort();
  return bothWays
    ? `nothing passes between ${kind} ${one} and ${kind} ${other}`
    : `nothing arrives in ${kind} ${to} from ${kind} ${from}`;
}

/** Whether the words name the path, also by another name of the same nodes, such as the only subnet of a zone. */
function isNameOf(
  words: string,
  path: Path,
  nodes: readonly NodeLocation[],
  pairs: readonly [number, number][],
): boolean {
  if (words === inWords(path)) return true;
  const isSame = (
    other: (one: NodeLocation | undefined, another: NodeLocation | undefined) => boolean,
    among: 'pairs' | 'nodes',
  ) =>
    among === 'pairs'
      ? pairs.every(([one, another]) => other(nodes[one], nodes[another]) === breaks(path, nodes[one], nodes[another]))
      : nodes.every(
          (one) =>
            one.address === null ||
            nodes.every((to) => one === to || to.address === null || other(one, to) === breaks(path, one, to)),
        );
  if (words === 'nothing passes between any two nodes') return isSame(() => true, 'nodes');
  return areaKinds.some((kind) => {
    const names = [...new Set(nodes.flatMap((node) => node[kind] ?? [])), null];
    return names.some((from) =>
      names.some((to) =>
        [true, false].some((bothWays) => {
          const other = { kind, from, to, bothWays };
          if (from === null && to === null) return false;
          const isIt = inWords(other) === words && isSame((...ends) => breaks(other, ...ends), 'pairs');
          return isIt && isSame((...ends) => breaks(other, ...ends), 'nodes');
        }),
      ),
    );
  });
}

const seeds = Array.from({ length: count }, (_, seed) => seed);

test.each(seeds)('cluster %i: one node that is cut off, wholly or one way, is named alone', (seed) => {
  const { nodes, pairs, faults } = tested(seed);
  const next = dice(seed + 1_000);
  const able = nodes.flatMap(({ address }, index) => (address === null ? [] : [index]));
  for (let turn = 0; turn < 3; turn++) {
    const bad = chosen(next, able);
    const [to, from] = ['nothing arrives there from any node', 'nothing of it arrives at any node'];
    expect(faults((_, end) => end === bad)).toEqual({ [`n${bad}`]: to });
    expect(faults((start) => start === bad)).toEqual({ [`n${bad}`]: from });
    expect(faults((start, end) => [start, end].includes(bad))).toEqual({ [`n${bad}`]: `${to}, and ${from}` });
    const [one, other] = chosen(next, pairs);
    expect(faults((start, end) => start === one && end === other)).toEqual({
      [`n${other}`]: `nothing arrives there from n${one}`,
    });
  }
});

test.each(seeds)(
  'cluster %i: one path between zones, subnets or links, within one or out of one is named, and nothing else',
  (seed) => {
    const { nodes, pairs, indexes, names, faults } = tested(seed);
    const next = dice(seed + 2_000);
    for (let turn = 0; turn < 20; turn++) {
      const kind = chosen(next, areaKinds);
      const [from, to] = [chosen(next, names(kind)), chosen(next, names(kind))];
      const isOneSided = next() < 0.3;
      const drawn: Path =
        from !== to && isOneSided
          ? { kind, from: next() < 0.5 ? null : from, to, bothWays: next() < 0.5 }
          : { kind, from, to, bothWays: from !== to && next() < 0.5 };
      const path =
        drawn.from !== null && drawn.to !== null ? drawn : { ...drawn, ...(drawn.from === null ? {} : { to: null }) };
      const isBroken = (one: number, other: number) => breaks(path, nodes[one], nodes[other]);
      const own = pairs.filter(([one, other]) => isBroken(one, other));
      const [here, there] = [from, to].map((name) => indexes(kind, name).length);
      // An area of so few nodes is a node, or a single path.
      if (Math.min(here ?? 0, there ?? 0) < fewestInArea) {
        const found = faults(isBroken);
        for (const node of Object.keys(found))
          expect(own.some((ends) => ends.map((end) => `n${end}`).includes(node))).toBe(true);
        continue;
      }

      // Of so many areas, not all pairs are joined.
      const isWay = path.from !== null && path.to !== null && from !== to;
      if (isWay && names(kind).length > 32 && !own.some((one) => areApart(one, own))) continue;
      const words = [...new Set(Object.values(faults(isBroken)))];
      expect({ path, own: own.length > 1, words }).toEqual({
        path,
        own: true,
        words: [expect.any(String)],
      });
      expect([words[0], isNameOf(words[0] ?? '', path, nodes, pairs)]).toEqual([words[0], true]);
    }
  },
);

/** Small zones beside large ones, whose subnets and links have few nodes outside each other. */
test.each([41, 102])('skewed cluster %i: each path that has two pairs without a node in common is named', (seed) => {
  const next = dice(seed);
  const count = 33 + Math.floor(next() * 500);
  const zones = 2 + Math.floor(next() * 10);
  const nodes = Array.from({ length: count }, () => {
    const zone = Math.floor(next() ** 6 * zones);
    const link = `${zone}-${Math.floor(next() ** 3 * 3)}`;
    return { zone: `z${zone}`, link, subnet: `${zone}-${Math.floor(next() ** 6 * 2)}` };
  });
  const wrong: string[] = [];
  const { pairs, faults, names } = testing(nodes);
  for (const kind of areaKinds)
    for (const from of names(kind))
      for (const to of names(kind)) {
        const path = { kind, from, to, bothWays: false };
        const isBroken = (one: number, other: number) => breaks(path, nodes[one], nodes[other]);
        const own = pairs.filter((pair) => isBroken(...pair));
        if (!own.some((one) => areApart(one, own))) continue;
        const words = [...new Set(Object.values(faults(isBroken)))];
        if (words.length !== 1 || !isNameOf(words[0] ?? '', path, nodes, pairs))
          wrong.push(`${inWords(path)}: ${words}`);
      }
  expect(wrong).toEqual([]);
});
