import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesFilter } from '../aggregator/matches-filter.ts';
import { policyKinds, verdicts } from '../flow.ts';
import { aFlow, aHit } from '../testing/a-flow.ts';
import { aggregatorPart } from './aggregator-part.ts';
import { matchesPattern, matchesQuery } from './matches-query.ts';
import { parseQuery } from './parse-query.ts';
import { endQuery, pairQuery, policyQuery } from './queries-of-flow.ts';
import type { Query, Term } from './query.ts';
import { queryText } from './query-text.ts';

const flow = { id: 'x', ...aFlow() };
const matches = (text: string) => {
  const { query, problems } = parseQuery(text);
  expect(problems).toEqual([]);
  return matchesQuery(flow, query);
};

test.each([
  ['', true],
  ['from:shop/checkout', true],
  ['from:checkout', true],
  ['from:checkout-7d9c6b8f5-*', true],
  ['from:check', false],
  ['from:check*', true],
  ['from:shop/', true],
  ['from:shop/*', true],
  ['from:other/checkout', false],
  ['to:payments/ledger-db', true],
  ['to:checkout', false],
  ['with:checkout', true],
  ['ledger-db', true],
  ['port:5432', true],
  ['port:5000-6000', true],
  ['port:53,5432', true],
  ['port:53 port:5432', true],
  ['port:53', false],
  ['verdict:denied', false],
  ['verdict:allow', true],
  ['!verdict:denied', true],
  ['!port:5432', false],
  ['policy:default/ledger-db', true],
  ['policy:ledger-db', true],
  ['policy:payments/ledger-db', false],
  ['policy:default/payments/ledger-db', true],
  ['policy:other/ledger-db', false],
  ['proto:tcp reporter:source', true],
  ['from:shop/checkout verdict:denied', false],
  ['since:2h', true],
])('%s: %s', (text, expected) => expect(matches(text)).toBe(expected));

const trigger = aHit({ kind: 'StagedNetworkPolicy', name: 'default.ledger-db', action: null });
const endOfTier = aHit({ kind: 'EndOfTier', namespace: null, name: '', action: 'denied', ruleIndex: -1, trigger });
test.each([
  ['policy:default/ledger-db', true],
  ['policy:payments/default.ledger-db', false],
  ['policy:default/payments/default.ledger-db', true],
  ['policy:other', false],
  ['staged:denied', true],
  ['staged:allowed', false],
])('%s finds what the end of a tier denied: %s', (text, expected) => {
  const denied = { id: 'x', ...aFlow({ policies: { enforced: [], pending: [endOfTier] } }) };
  expect(matchesQuery(denied, parseQuery(text).query)).toBe(expected);
});

const outside = { kind: 'network' as const, namespace: null, name: 'pub', labels: [] };
test.each([
  ['from:"PUBLIC NETWORK"', true],
  ['from:PUBLIC*', true],
  ['from:pub', true],
  ['from:-/pub', true],
  ['from:shop/pub', false],
  ['from:"PRIVATE NETWORK"', false],
])('%s finds what comes from outside: %s', (text, expected) => {
  expect(matchesQuery({ id: 'x', ...aFlow({ from: outside }) }, parseQuery(text).query)).toBe(expected);
});

test('the query of a pair finds no namesake in a namespace', () => {
  const { to } = aFlow();
  const { query: pair } = parseQuery(pairQuery({ from: outside, to }));
  expect(matchesQuery({ id: 'x', ...aFlow({ from: outside }) }, pair)).toBe(true);
  const namesake = { kind: 'workload' as const, namespace: 'shop', name: 'pub-*', labels: [] };
  expect(matchesQuery({ id: 'x', ...aFlow({ from: namesake }) }, pair)).toBe(false);
});

test('the query of an end finds it at either side, and that of a policy what it was asked about', () => {
  const { query: end } = parseQuery(endQuery(flow.to));
  expect(matchesQuery(flow, end)).toBe(true);
  expect(matchesQuery({ ...flow, from: flow.to, to: flow.from, service: null }, end)).toBe(true);
  expect(matchesQuery({ ...flow, to: flow.from, service: null }, end)).toBe(false);
  const text = policyQuery(aHit());
  expect(text).toBe('policy:default/payments/ledger-db');
  expect(matches(text)).toBe(true);
  expect(matches(policyQuery(aHit({ namespace: 'shop' })))).toBe(false);
});

test.each([
  ['colour:red', 'colour is not a key'],
  ['port:http', 'port takes'],
  ['port:99999', 'port takes'],
  ['verdict:maybe', 'verdict takes'],
  ['since:soon', 'since takes'],
  ['!since:2h', 'since takes'],
  ['from:', 'from takes'],
  ['__proto__:x', '__proto__ is not a key'],
])('%s is refused with a sentence', (text, message) => {
  const { problems } = parseQuery(`port:1 ${text}`);
  expect(problems).toEqual([{ at: 7, word: text, message: expect.stringContaining(message) }]);
});

const name = fc
  .oneof(
    fc.constantFrom('checkout', 'a-*', 'kube-dns', 'x y', 'a,b', '"', '\\', 'é', 'a/b'),
    fc.string({ minLength: 1, maxLength: 6 }),
  )
  .filter((text) => text !== '*' && text !== '');
const space = name.filter((text) => !text.includes('/'));
const not = fc.boolean();
const term: fc.Arbitrary<Term> = fc.oneof(
  fc.record({
    not,
    key: fc.constantFrom('from' as const, 'to' as const, 'with' as const),
    namespace: fc.option(space),
    name,
  }),
  fc
    .tuple(not, fc.nat(65_535), fc.nat(65_535))
    .map(([no, a, b]): Term => ({ not: no, key: 'port', first: Math.min(a, b), last: Math.max(a, b) })),
  fc.record({
    not,
    key: fc.constantFrom('verdict' as const, 'staged' as const),
    verdict: fc.constantFrom(...verdicts),
  }),
  fc.record({ not, key: fc.constant('policy' as const), tier: fc.option(space), name }),
  fc.record({ not, key: fc.constant('proto' as const), protocol: fc.constantFrom('TCP', 'UDP', 'SCTP') }),
  fc.record({
    not,
    key: fc.constant('reporter' as const),
    reporter: fc.constantFrom('source' as const, 'destination' as const),
  }),
);
const moment = fc.option(
  fc.oneof(
    fc.record({ ago: fc.integer({ min: 1, max: 1_000_000 }) }),
    fc.record({ at: fc.integer({ min: 1, max: 4_000_000_000 }) }),
  ),
);
const query: fc.Arbitrary<Query> = fc.record({ terms: fc.array(term, { maxLength: 6 }), since: moment, until: moment });

test('what is written is read again as it was', () => {
  fc.assert(
    fc.property(query, (given) => {
      expect(parseQuery(queryText(given))).toEqual({ query: given, problems: [] });
    }),
  );
});

test('whatever is typed is read, and written in one form', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'from:to"\\,!*/ -5hn') })), (text) => {
      const { query: read } = parseQuery(text);
      expect(parseQuery(queryText(read)).query).toEqual(read);
    }),
  );
});

const part = fc.constantFrom('pvt', 'a', 'ab', 'b-*', 'checkout-7d9c6b8f5-*', 'checkout', 'pub', 'shop');
const anEnd = fc.record({
  kind: fc.constantFrom('workload' as const, 'network' as const),
  namespace: fc.option(part),
  name: part,
  labels: fc.constant([]),
});
const hits = fc.array(
  fc
    .record({
      kind: fc.constantFrom(...policyKinds),
      namespace: fc.option(part),
      name: part,
      tier: part,
      action: fc.constantFrom(...verdicts),
      trigger: fc.option(fc.record({ name: part }).map(({ name: named }) => aHit({ name: named }))),
    })
    .map((hit) => aHit(hit)),
  { maxLength: 3 },
);
const flows = fc
  .record({
    from: anEnd,
    to: anEnd,
    port: fc.nat(3),
    verdict: fc.constantFrom(...verdicts),
    reporter: fc.constantFrom('source' as const, 'destination' as const),
    service: fc.option(fc.record({ namespace: fc.option(part), name: part, portName: part })),
    policies: fc.record({ enforced: hits, pending: hits }),
  })
  .map((changed) => ({ id: 'x', ...aFlow(changed) }));
const pattern = fc.oneof(
  part,
  fc.constantFrom('a*', 'P*', '*NETWORK', 'PUBLIC NETWORK', '*', '*b*', 'check*', 'checkout'),
);
const nearTerm: fc.Arbitrary<Term> = fc.oneof(
  fc.record({
    not,
    key: fc.constantFrom('from' as const, 'to' as const, 'with' as const),
    namespace: fc.option(pattern),
    name: fc.option(pattern),
  }),
  fc
    .record({ not, key: fc.constant('port' as const), first: fc.nat(3) })
    .chain(({ not: no, key, first }) =>
      fc.integer({ min: first, max: 4 }).map((last): Term => ({ not: no, key, first, last })),
    ),
  fc.record({
    not,
    key: fc.constantFrom('verdict' as const, 'staged' as const),
    verdict: fc.constantFrom(...verdicts),
  }),
  fc.record({ not, key: fc.constant('policy' as const), tier: fc.option(pattern), name: pattern }),
  fc.record({
    not,
    key: fc.constant('reporter' as const),
    reporter: fc.constantFrom('source' as const, 'destination' as const),
  }),
);

test('the aggregator leaves out nothing that is asked for', () => {
  fc.assert(
    fc.property(flows, fc.array(nearTerm, { maxLength: 4 }), (given, terms) => {
      if (matchesQuery(given, { terms })) expect(matchesFilter(given, aggregatorPart({ terms }))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('and leaves out what it can', () => {
  const { query: filter } = parseQuery('from:shop/check* port:53 verdict:denied policy:default/x reporter:source');
  expect(aggregatorPart(filter)).toMatchObject({
    sourceNames: [{ value: 'check', by: 'part' }],
    sourceNamespaces: [{ value: 'shop', by: 'whole' }],
    destPorts: [53],
    verdicts: ['denied'],
    policies: [expect.objectContaining({ tier: 'default' })],
    reporter: 'source',
  });
});

test('a pattern is no regular expression, and takes no time that grows', () => {
  expect(matchesPattern('a.b', 'a.b')).toBe(true);
  expect(matchesPattern('axb', 'a.b')).toBe(false);
  expect(matchesPattern('aba', 'ab*ba')).toBe(false);
  const before = process.cpuUsage();
  matchesPattern('a'.repeat(100_000), `${'a*'.repeat(1_000)}b`);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_000);
});
