import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { findUpgrading } from '../testing/an-upgrade.ts';

const id = 'upgrade.helm-pending';
const release = (status: string) => ({
  resources: {
    helmReleases: [
      {
        name: 'calico',
        namespace: 'tigera-operator',
        chart: 'tigera-operator-v3.30.7',
        revision: 4,
        status,
        values: {},
      },
    ],
  },
});

test.each([
  ['deployed', 'pass'],
  ['superseded', 'pass'],
  ['pending-install', 'fail'],
  ['pending-upgrade', 'fail'],
  ['pending-rollback', 'fail'],
  ['failed', 'fail'],
  ['unknown', 'unknown'],
])('%s: %s', (status, expected) => {
  expect(findUpgrading(id, { facts: release(status) })).toMatchObject({ status: expected, severity: 'blocking' });
});

test('the release, its revision and where to look are told', () => {
  const finding = findUpgrading(id, { facts: release('pending-upgrade') });
  expect(finding.because).toBe('Helm holds a release for unfinished: tigera-operator/calico (pending-upgrade).');
  expect(finding.subjects[0]?.detail).toBe('revision 4 is pending-upgrade');
  expect(finding.remedy.command).toBe('helm history calico --namespace tigera-operator');
});

test('where an earlier revision was deployed, the line that goes back to it is told', () => {
  const [helmRelease] = release('failed').resources.helmReleases;
  const facts = { resources: { helmReleases: [{ ...Object(helmRelease), deployedBefore: 3 }] } };
  expect(findUpgrading(id, { facts }).remedy.command).toBe('helm rollback calico 3 --namespace tigera-operator');
});

test('a release that Helm keeps in a ConfigMap is settled there', () => {
  const [helmRelease] = release('failed').resources.helmReleases;
  const facts = { resources: { helmReleases: [{ ...Object(helmRelease), deployedBefore: 3, driver: 'configmap' }] } };
  expect(findUpgrading(id, { facts }).remedy.command).toBe(
    'env HELM_DRIVER=configmap helm rollback calico 3 --namespace tigera-operator',
  );
});

test('unread is unknown; without Calico it does not apply', () => {
  expect(findUpgrading(id, { facts: uncover(aFacts(), 'helm') }).status).toBe('unknown');
  for (const method of ['none', 'manifest-kdd'] as const)
    expect(findUpgrading(id, { facts: { installation: { method } } }).status).toBe('skipped');
});
