import { expect, test } from 'vitest';
import type { Flow } from '../flow.ts';
import { endName } from '../query/end-names.ts';
import { aFlow, aHit } from '../testing/a-flow.ts';
import { decidedBy, stagedSentence, trailLines, trailSentence, trailSteps, wouldBeDenied } from './policy-trail.ts';

const passedOn = aHit({
  kind: 'GlobalNetworkPolicy',
  namespace: null,
  name: 'platform.quarantine',
  tier: 'platform',
  action: 'passed',
  ruleIndex: 0,
});
const allowDns = aHit({
  kind: 'GlobalNetworkPolicy',
  namespace: null,
  name: 'platform.allow-dns',
  tier: 'platform',
  ruleIndex: 1,
});
const endOfTier = aHit({
  kind: 'EndOfTier',
  namespace: null,
  name: '',
  action: 'denied',
  ruleIndex: -1,
  trigger: aHit(),
});
const profile = aHit({ kind: 'Profile', namespace: null, name: 'kns.shop', tier: '' });
const stagedDeny = aHit({
  kind: 'StagedGlobalNetworkPolicy',
  namespace: null,
  name: 'no-public',
  tier: 'security',
  action: 'denied',
  ruleIndex: 0,
});

const stagedEndOfTier = aHit({
  kind: 'EndOfTier',
  namespace: null,
  name: '',
  action: 'denied',
  ruleIndex: -1,
  trigger: aHit({ kind: 'StagedNetworkPolicy', action: null, ruleIndex: -1 }),
});

const flow = (enforced: Flow['policies']['enforced'], changed: Partial<Flow> = {}): Flow => ({
  id: 'x',
  ...aFlow({ policies: { enforced, pending: enforced }, ...changed }),
});

test.each([
  [flow([passedOn, allowDns]), 'allow-dns', 'Allowed at the source by tier platform → policy allow-dns → rule 2.'],
  [
    flow([passedOn, endOfTier], { verdict: 'denied', reporter: 'destination' }),
    'end of tier default',
    'Denied at the destination, at the end of tier default: payments/ledger-db selects it, and no rule of the tier matches.',
  ],
  [flow([profile]), 'profile kns.shop', 'Allowed at the source by profile kns.shop: no policy selects it.'],
  [
    flow([passedOn, profile]),
    'profile kns.shop',
    'Allowed at the source by profile kns.shop: the policies that select it pass it on.',
  ],
  [flow([]), '', 'Allowed at the source. Calico names no policy for it.'],
])('what decided, in words', (given, short, sentence) => {
  expect(decidedBy(given)).toBe(short);
  expect(trailSentence(given)).toBe(sentence);
});

test('a staged policy whose rules do not match is known by the end of its tier', () => {
  const staged = flow([profile], { policies: { enforced: [profile], pending: [stagedEndOfTier] } });
  const path = 'tier default → policy payments/ledger-db → end of tier';
  expect(stagedSentence(staged)).toBe(`Would be denied by staged policy ${path}.`);
  expect(wouldBeDenied(staged)).toBe(true);
  expect(trailLines(staged)).toEqual(['profile kns.shop: allowed', `staged: ${path}: denied`]);
  expect(wouldBeDenied(flow([profile], { policies: { enforced: [profile], pending: [endOfTier] } }))).toBe(false);
});

test('a staged policy that would decide otherwise is said, and one that would not is not', () => {
  const enforced = [profile];
  const staged = flow(enforced, { policies: { enforced, pending: [stagedDeny] } });
  expect(stagedSentence(staged)).toBe('Would be denied by staged policy tier security → policy no-public → rule 1.');
  expect(stagedSentence({ ...staged, verdict: 'denied' })).toBeNull();
  expect(stagedSentence(flow(enforced))).toBeNull();
  expect(trailLines(staged)).toEqual([
    'profile kns.shop: allowed',
    'staged: tier security → policy no-public → rule 1: denied',
  ]);
});

test.each([
  ['workload', 'shop', 'checkout-7d9c6b8f5-*', 'shop/checkout'],
  ['workload', 'shop', 'web-*', 'shop/web'],
  ['workload', 'shop', 'checkout-api-*', 'shop/checkout-api'],
  ['network', null, 'pub', 'PUBLIC NETWORK'],
  ['host', null, 'worker-1', 'worker-1'],
] as const)('%s %s %s is called %s', (kind, namespace, name, expected) => {
  expect(endName({ kind, namespace, name, labels: [] })).toBe(expected);
});

test('each step of a trail names the policy to look up: at the end of a tier that which brought it about, of a profile none', () => {
  const names = trailSteps(flow([passedOn, endOfTier, profile])).map(({ policy }) => policy?.name ?? null);
  expect(names).toEqual(['platform.quarantine', 'ledger-db', null]);
});
