import { expect, test } from 'vitest';
import type { Flow } from '../flow.ts';
import { aFlow, aHit } from '../testing/a-flow.ts';
import { changedPairs } from './changed-pairs.ts';

const t = 1_800_000_000;
const named = (changed: Parameters<typeof aFlow>[0]): Flow => ({ id: JSON.stringify(changed), ...aFlow(changed) });
/** A pair that was reported over the whole hour before, with 60 connections. */
const regular = (changed: Parameters<typeof aFlow>[0] = {}) =>
  named({ start: t - 3600, end: t, connections: { started: 60, completed: 60, live: 0 }, ...changed });
const later = (changed: Parameters<typeof aFlow>[0] = {}) => named({ start: t + 60, end: t + 75, ...changed });
const pod = (name: string) => ({ kind: 'workload' as const, namespace: 'shop', name, labels: [] });

const others = later({ port: 9999 });
const changes = (before: Flow[], since: Flow[], minutes = 10) =>
  changedPairs(
    { flows: before, since: t - 3600, until: t },
    { flows: [...since, others], since: t, until: t + minutes * 60 },
  );
const states = (of: ReturnType<typeof changes>) => of.pairs.map(({ state, from }) => `${state} ${from}`);

test('a pair that talked and is denied since is told with the policy that denies it', () => {
  const hit = aHit({ action: 'denied', name: 'new-policy', ruleIndex: 0 });
  const denied = later({ verdict: 'denied', reporter: 'destination', policies: { enforced: [hit], pending: [] } });
  expect(changes([regular()], [later(), denied])).toEqual({
    pairs: [
      {
        state: 'denied',
        from: 'shop/checkout',
        to: 'payments/ledger-db',
        protocol: 'TCP',
        port: 5432,
        connections: 60,
        seen: t,
        query: 'from:shop/checkout to:payments/ledger-db',
        why: 'Denied at the destination by tier default → policy payments/new-policy → rule 1.',
      },
    ],
    talked: 1,
    untold: 0,
  });
});

test.each<[string, Flow[], Flow[], string[], number]>([
  ['goes on', [regular()], [later()], [], 0],
  ['goes on from a new ReplicaSet', [regular()], [later({ from: pod('checkout-5b4c7d9f6-*') })], [], 0],
  ['falls silent', [regular()], [], ['silent shop/checkout'], 0],
  ['was denied before', [regular(), regular({ verdict: 'denied' })], [later({ verdict: 'denied' })], [], 0],
  ['talked too seldom', [regular({ connections: { started: 6, completed: 6, live: 0 } })], [], [], 1],
  ['talked in a burst', [regular({ start: t - 120 })], [], [], 1],
  ['had ended before', [regular({ end: t - 900 })], [], [], 1],
  ['talks at another port', [regular()], [later({ port: 1 })], ['silent shop/checkout'], 0],
  ['is told by both ends', [regular(), regular({ reporter: 'destination' })], [], ['silent shop/checkout'], 0],
])('a pair that %s', (_, before, since, expected, untold) => {
  const found = changes(before, since);
  expect([states(found), found.untold]).toEqual([expected, untold]);
});

test('it is too early for silence, and never for what is denied', () => {
  const busiest = regular({ connections: { started: 60_000, completed: 0, live: 0 } });
  expect([states(changes([busiest], [], 4)), states(changes([busiest], [], 5))]).toEqual([
    [],
    ['silent shop/checkout'],
  ]);
  expect(states(changes([regular()], [later({ verdict: 'denied' })], 1))).toEqual(['denied shop/checkout']);
});

test('where no flow is told at all any more, no pair is called silent', () => {
  const before = { flows: [regular()], since: t - 3600, until: t };
  expect(changedPairs(before, { flows: [], since: t, until: t + 3600 })).toEqual({ pairs: [], talked: 1, untold: 1 });
});

test('denied comes before silent, and the busiest first', () => {
  const busy = { started: 600, completed: 600, live: 0 };
  const before = [
    regular({ from: pod('a') }),
    regular({ from: pod('b'), connections: busy }),
    regular({ from: pod('c') }),
  ];
  expect(states(changes(before, [later({ from: pod('c'), verdict: 'denied' })]))).toEqual([
    'denied shop/c',
    'silent shop/b',
    'silent shop/a',
  ]);
});
