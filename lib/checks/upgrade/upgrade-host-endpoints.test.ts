import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { findUpgrading } from '../testing/an-upgrade.ts';

const id = 'upgrade.host-endpoints';
type HostEndpoints = Facts['upgrade']['hostEndpoints'];
const byHand = [{ kind: 'HostEndpoint', namespace: null, name: 'worker-1-all', detail: 'all interfaces of worker-1' }];
const endpoints = (given: Partial<HostEndpoints>) => ({ upgrade: { hostEndpoints: given } });

test.each<[string, string, string, Partial<HostEndpoints>, string]>([
  ['none', 'v3.27.5', 'v3.31.4', {}, 'pass'],
  ['automatic ones, crossing v3.31', 'v3.30.7', 'v3.31.4', { autoCreate: 'Enabled', automatic: 6 }, 'fail'],
  ['automatic ones, not crossing it', 'v3.31.0', 'v3.31.4', { autoCreate: 'Enabled', automatic: 6 }, 'pass'],
  ['asked for and not made yet', 'v3.30.7', 'v3.31.4', { autoCreate: 'Enabled' }, 'fail'],
  ['made by hand for all interfaces', 'v3.31.0', 'v3.31.4', { allInterfaces: byHand }, 'fail'],
])('%s: %s to %s', (_name, from, to, given, status) => {
  expect(findUpgrading(id, { from, to, facts: endpoints(given) })).toMatchObject({ status, severity: 'warning' });
});

test('both are told', () => {
  const finding = findUpgrading(id, { facts: endpoints({ automatic: 6, allInterfaces: byHand }) });
  expect(finding.because).toBe(
    '1 host endpoint for all interfaces was made by hand: worker-1-all; 6 automatic host endpoints will cover every interface and address of their nodes from v3.31 on.',
  );
  expect(finding.remedy.steps[0]).toContain('copy their labels to the nodes');
});

test('with etcd calicoctl does it, and the upgrade offers nothing', () => {
  const facts = { ...endpoints({ allInterfaces: byHand }), installation: { method: 'manifest-etcd' as const } };
  const { remedy } = findUpgrading(id, { facts });
  expect(remedy.command).toBe('calicoctl get hostendpoints -o yaml');
  expect(remedy.steps[0]).toContain('calicoctl delete hostendpoint worker-1-all');
  expect(remedy.steps.join()).not.toContain('--afterwards');
});

test('unread is unknown; without Calico it does not apply', () => {
  expect(findUpgrading(id, { facts: uncover(aFacts(), 'hostEndpoints') }).status).toBe('unknown');
  expect(findUpgrading(id, { facts: { installation: { method: 'none' } } }).status).toBe('skipped');
});
