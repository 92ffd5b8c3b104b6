import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { findUpgrading } from '../testing/an-upgrade.ts';

const id = 'upgrade.policy-names';
const policy = {
  kind: 'GlobalNetworkPolicy.projectcalico.org',
  namespace: null,
  name: 'allow-dns',
  detail: 'tier default',
};
const policies = { upgrade: { defaultTierPolicies: { count: 3, first: [policy] } } };

test.each([
  ['v3.28.5', policies, 'pass'],
  ['v3.29.0', policies, 'fail'],
  ['v3.29.3', policies, 'fail'],
  ['v3.29.4', policies, 'pass'],
  ['v3.30.0', policies, 'fail'],
  ['v3.30.1', policies, 'pass'],
  ['v3.30.0', {}, 'pass'],
  ['v3.29', policies, 'unknown'],
])('from %s', (from, facts, status) => {
  expect(findUpgrading(id, { from, facts })).toMatchObject({ status, severity: 'warning' });
});

test('the policies are counted and named', () => {
  expect(findUpgrading(id, { from: 'v3.29.2', facts: policies })).toMatchObject({
    because: 'v3.29.2 is one of the releases that renamed policies, and 3 policies of the default tier are there.',
    subjects: [policy],
  });
});

test('unread is unknown where it matters, and only there', () => {
  const facts = uncover(aFacts(), 'upgradePolicies');
  expect(findUpgrading(id, { from: 'v3.30.0', facts }).status).toBe('unknown');
  expect(findUpgrading(id, { from: 'v3.30.7', facts }).status).toBe('pass');
  expect(findUpgrading(id, { facts: { installation: { method: 'none' } } }).status).toBe('skipped');
});
