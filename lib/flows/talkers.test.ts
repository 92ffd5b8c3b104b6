import { expect, test } from 'vitest';
import { talkersOf } from './talkers.ts';
import { aFlow, aHit } from './testing/a-flow.ts';

const by = (name: string) => ({ enforced: [aHit({ name })], pending: [] });
const flows = [
  { id: 'a', ...aFlow({ policies: by('egress') }) },
  { id: 'b', ...aFlow({ reporter: 'destination', policies: by('ingress') }) },
];

test('a connection that both ends tell of is counted once, and the policies of each end for themselves', () => {
  expect(talkersOf(flows, 'pair', 9)).toMatchObject([{ connections: 2, bytes: 1500 }]);
  expect(talkersOf(flows, 'policy', 9)).toMatchObject([
    { name: 'payments/egress', connections: 2, bytes: 1500 },
    { name: 'payments/ingress', connections: 2, bytes: 1500 },
  ]);
});

const outside = { kind: 'network' as const, namespace: null, name: 'pub', labels: [] };
const denied = {
  verdict: 'denied' as const,
  reporter: 'destination' as const,
  policies: {
    enforced: [
      aHit({ kind: 'EndOfTier', namespace: null, name: '', action: 'denied', ruleIndex: -1, trigger: aHit() }),
    ],
    pending: [],
  },
};
const all = [
  ...flows,
  { id: 'c', ...aFlow({ from: outside }) },
  { id: 'd', ...aFlow({ port: 53, protocol: 'UDP' }) },
  { id: 'e', ...aFlow(denied) },
  { id: 'f', ...aFlow({ ...denied, start: 1_800_000_015 }) },
];

test.each([
  ['from', ['from:shop/checkout', 'from:-/pub']],
  ['to', ['to:payments/ledger-db']],
  ['denied', ['policy:default/payments/ledger-db']],
  ['external', ['from:-/pub to:payments/ledger-db port:5432']],
  ['dns', ['from:shop/checkout to:payments/ledger-db port:53']],
] as const)('top %s asks for %j', (by, queries) => {
  expect(talkersOf(all, by, 9).map(({ query }) => query)).toEqual(queries);
});

test('what was denied is told with the policy that brought about the end of its tier, the most first', () => {
  expect(talkersOf(all, 'denied', 9)).toMatchObject([{ name: 'end of tier default: ledger-db', denied: 4 }]);
  expect(talkersOf(flows, 'denied', 9)).toEqual([]);
});
