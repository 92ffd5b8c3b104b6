import { expect, test } from 'vitest';
import { aFlow } from '../testing/a-flow.ts';
import { flowMap, mostPlaces } from './flow-map.ts';

const pod = (namespace: string, name: string) => ({ kind: 'workload' as const, namespace, name, labels: [] });
const outside = { kind: 'network' as const, namespace: null, name: 'pub', labels: [] };
const flows = [
  { id: 'a', ...aFlow() },
  { id: 'b', ...aFlow({ reporter: 'destination', verdict: 'denied' }) },
  { id: 'c', ...aFlow({ port: 53, protocol: 'UDP' }) },
  { id: 'd', ...aFlow({ from: outside, to: pod('shop', 'checkout-7d9c6b8f5-*'), port: 443 }) },
];

test('a pair is one edge, counted once, denied where either end denies, with the query for its flows', () => {
  const { edges, places, workloads } = flowMap(flows, 'workloads');
  expect(workloads).toBe(3);
  expect(places.map(({ id, title }) => [id, title])).toEqual([
    ['PUBLIC NETWORK', 'PUBLIC NETWORK'],
    ['payments/ledger-db', 'ledger-db'],
    ['shop/checkout', 'checkout'],
  ]);
  expect(edges).toMatchObject([
    {
      allowed: 2,
      denied: 2,
      bytes: 3000,
      ports: ['53 UDP', '5432 TCP'],
      decidedBy: ['payments/ledger-db'],
      query: 'from:shop/checkout to:payments/ledger-db',
    },
    { allowed: 2, denied: 0, decidedBy: [], query: 'from:-/pub to:shop/checkout' },
  ]);
});

test('namespaces are one place each, and what is in none stays by itself', () => {
  const { edges, places } = flowMap(flows, 'namespaces');
  expect(places.map(({ title }) => title)).toEqual(['PUBLIC NETWORK', 'payments', 'shop']);
  expect(edges.map(({ query }) => query)).toEqual(['from:shop/ to:payments/', 'from:-/pub to:shop/']);
});

const many = Array.from({ length: 100 }, (_, index) => ({
  id: String(index),
  ...aFlow({ from: pod('shop', `w${index}`), bytes: { in: 1000 - index, out: 0 } }),
}));

test(`of more than ${mostPlaces} workloads the others of a namespace stand together, and all stand alone on request`, () => {
  const { edges, places, workloads } = flowMap(many, 'workloads');
  expect(workloads).toBe(101);
  expect(places).toHaveLength(mostPlaces + 1);
  expect(places.find(({ name }) => name === null)).toMatchObject({ namespace: 'shop', title: '71 more' });
  const less = flowMap(
    [...many, { id: 'x', ...aFlow({ from: pod('quiet', 'w'), bytes: { in: 0, out: 0 } }) }],
    'workloads',
  );
  expect(less.places.find(({ namespace }) => namespace === 'quiet')).toMatchObject({ title: 'quiet: 1 workload' });
  expect(edges.find(({ from }) => from.name === null)).toMatchObject({ query: null, allowed: 142 });
  expect(flowMap(many, 'all').places).toHaveLength(101);
});
