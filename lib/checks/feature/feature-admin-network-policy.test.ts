import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const id = 'feature.admin-network-policy';
const policy = { kind: 'AdminNetworkPolicy', namespace: null, name: 'deny-all', detail: 'enforced up to v3.31' };
const some = { features: { adminNetworkPolicies: [policy] } };

test.each([
  ['v3.32.0', 'fail'],
  ['v3.33.1', 'fail'],
  ['v3.31.7', 'skipped'],
  ['master', 'unknown'],
])('one, and %s is to run: %s', (release, expected) => {
  expect(find(id, some, { goal: 'upgrade', release }).status).toBe(expected);
});

test('none is lost where there is none', () => {
  expect(find(id, {}, { goal: 'upgrade', release: 'v3.32.1' }).status).toBe('pass');
});

test('the policies are named', () => {
  expect(find(id, some, { goal: 'upgrade', release: 'v3.32.1' })).toMatchObject({
    severity: 'blocking',
    because: 'Calico v3.32.1 does not enforce 1 policy of the admin network policy API (AdminNetworkPolicy deny-all).',
    subjects: [policy],
  });
});

test('without a release the one that would be proposed counts', () => {
  expect(find(id, { ...some, installation: { version: 'v3.30.2' } }, { goal: 'upgrade' }).status).toBe('skipped');
  expect(find(id, { ...some, installation: { version: null } }, { goal: 'upgrade' }).status).toBe('unknown');
});

test('policies that were not read are unknown', () => {
  expect(find(id, uncover(aFacts(), 'adminNetworkPolicies'), { goal: 'upgrade', release: 'v3.32.1' }).status).toBe(
    'unknown',
  );
});
