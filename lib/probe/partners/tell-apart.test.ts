import { expect, test } from 'vitest';
import { tellApart } from './tell-apart.ts';

/** The bridges that it adds if these pairs are tested already. */
function added(nodes: number, areas: number[][][], ...pairs: [number, number][]): [number, number][] {
  return choosing({ nodes, areas, canJoin: true }, ...pairs);
}

function choosing(
  { nodes, areas, canJoin }: { nodes: number; areas: number[][][]; canJoin: boolean },
  ...pairs: [number, number][]
): [number, number][] {
  const tested = Array.from({ length: nodes }, () => new Set<number>());
  const found: [number, number][] = [];
  const join = (one: number, other: number) => {
    tested[one]?.add(other);
    tested[other]?.add(one);
    return true;
  };
  for (const pair of pairs) join(...pair);
  tellApart({
    areas,
    tested,
    load: () => 0,
    join: (...pair) => {
      found.push(pair);
      return canJoin && join(...pair);
    },
  });
  return found;
}

/** Zones of four nodes, each with two subnets. */
const zones = [
  [0, 1, 2, 3],
  [4, 5, 6, 7],
];
const subnets = [
  [0, 1],
  [2, 3],
  [4, 5],
  [6, 7],
];
const within: [number, number][] = [...zones, ...subnets].flatMap((own) =>
  own.slice(1).map((other): [number, number] => [own[0] as number, other]),
);

test('of two zones that only one subnet of each tests between, another does too then', () => {
  const pairs = added(8, [zones, subnets], ...within, [0, 4], [1, 5]);
  const isOfOneSubnet = ([one, other]: [number, number]) => one < 2 && other >= 4 && other < 6;
  expect(pairs.filter((pair) => !isOfOneSubnet(pair)).length).toBeGreaterThan(0);
  expect(pairs.length).toBeLessThan(8);
});

test('what cannot be added is no change, after which all would be looked through again', () => {
  const pairs = choosing({ nodes: 8, areas: [zones, subnets], canJoin: false }, ...within, [0, 4], [1, 5]);
  expect(pairs.length).toBeGreaterThan(0);
  expect(new Set(pairs.map(String)).size).toBe(pairs.length);
});

test('what has two names needs no more pairs', () => {
  expect(added(8, [zones, zones], ...within, [0, 4], [1, 5], [2, 6])).toEqual([]);
});

test('a node that tests with one zone alone tests with another too then', () => {
  const three = [[0], [1, 2, 3], [4, 5, 6]];
  const pairs = added(7, [three], [0, 1], [0, 2], [1, 2], [2, 3], [1, 4], [2, 5], [4, 5], [5, 6]);
  expect(pairs.filter(([one, other]) => [one, other].includes(0)).flat()).toContain(4);
});
