import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { findUpgrading } from '../testing/an-upgrade.ts';

const id = 'upgrade.allow-all-upgrade';
const kind = 'GlobalNetworkPolicy.projectcalico.org';
const left = (...names: string[]) => ({
  upgrade: { temporaryPolicies: names.map((name) => ({ kind, namespace: null, name, detail: 'tier default' })) },
});

test.each([
  [[], 'pass'],
  [['default.allow-all-upgrade'], 'fail'],
  [['allow-all-upgrade'], 'fail'],
] as const)('%j: %s', (names, status) => {
  expect(findUpgrading(id, { facts: left(...names) })).toMatchObject({ status, severity: 'warning' });
});

test('first its traffic is listed, then policies are made for it, then it goes', () => {
  const { remedy } = findUpgrading(id, { facts: left('default.allow-all-upgrade') });
  expect(remedy.steps).toEqual([
    expect.stringContaining('signalbox flows top policy:allow-all-upgrade --since 7d'),
    expect.stringMatching(/^Make the global network policies/),
    'Then delete it, or have the upgrade do so with --afterwards allow-all-upgrade.',
    'Check again.',
  ]);
  expect(remedy.command).toBe('kubectl delete globalnetworkpolicies.crd.projectcalico.org default.allow-all-upgrade');
});

test('with etcd calicoctl deletes it, and the upgrade offers nothing', () => {
  const facts = { ...left('allow-all-upgrade'), installation: { method: 'manifest-etcd' as const } };
  const { remedy } = findUpgrading(id, { facts });
  expect(remedy.command).toBe('calicoctl delete globalnetworkpolicy allow-all-upgrade');
  expect(remedy.steps.join()).not.toContain('--afterwards');
});

test('unread is unknown; without Calico it does not apply', () => {
  expect(findUpgrading(id, { facts: uncover(aFacts(), 'upgradePolicies') }).status).toBe('unknown');
  expect(findUpgrading(id, { facts: { installation: { method: 'none' } } }).status).toBe('skipped');
});
