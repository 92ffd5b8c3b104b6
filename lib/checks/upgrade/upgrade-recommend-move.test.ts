import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { findUpgrading } from '../testing/an-upgrade.ts';

const id = 'upgrade.recommend-move';

test.each<[Facts['installation']['method'], string, RegExp]>([
  ['operator', 'pass', /./],
  ['helm', 'pass', /./],
  ['manifest-kdd', 'fail', /by manifest: the operator is recommended/],
  ['manifest-etcd', 'fail', /the Kubernetes API and the operator are recommended/],
  ['none', 'skipped', /not installed/],
  ['unknown', 'unknown', /not recognised/],
])('%s: %s', (method, status, because) => {
  const finding = findUpgrading(id, { facts: { installation: { method } } });
  expect(finding).toMatchObject({ status, severity: 'info' });
  expect(finding.because).toMatch(because);
});

test('where a tool writes the manifest, its own way to another release is asked for', () => {
  const installation = { method: 'manifest-kdd', manifest: 'calico' } as const;
  const finding = findUpgrading(id, { facts: { platform: { kind: 'kops' }, installation } });
  expect(finding).toMatchObject({ status: 'fail', severity: 'warning' });
  expect(finding.remedy.steps[0]).toMatch(/^Upgrade kOps/);
});

test('the agents are named as their manifest calls them', () => {
  const installation = {
    method: 'manifest-etcd',
    manifest: 'canal-etcd',
    agent: 'kube-system/DaemonSet/canal-node',
  } as const;
  const { subjects } = findUpgrading(id, { facts: { installation } });
  expect(subjects).toMatchObject([{ namespace: 'kube-system', kind: 'DaemonSet', name: 'canal-node' }]);
});
