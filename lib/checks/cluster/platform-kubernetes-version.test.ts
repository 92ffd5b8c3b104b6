import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const id = 'platform.kubernetes-version';
const upgrade = (release: string) => ({ goal: 'upgrade' as const, release });

test.each([
  ['v1.34.1', 'v3.31.4', 'pass'],
  ['v1.34.1+k3s1', 'v3.31.4', 'pass'],
  ['v1.31.9', 'v3.31.4', 'fail'],
  ['v1.36.3', 'v3.31.4', 'fail'],
  ['v1.36.3', 'v3.32.0', 'pass'],
  ['v1.20.0', 'v3.30.7', 'pass'],
  [null, 'v3.31.4', 'unknown'],
])('Kubernetes %s and Calico %s: %s', (kubernetesVersion, release, status) => {
  const finding = find(id, { cluster: { kubernetesVersion }, installation: { version: 'v3.29.0' } }, upgrade(release));
  expect([finding.status, finding.severity]).toEqual([status, 'warning']);
});

test('both directions are told', () => {
  expect(find(id, { cluster: { kubernetesVersion: 'v1.36.3' } }, upgrade('v3.31.4')).because).toBe(
    'This is Kubernetes v1.36.3, and Calico v3.31.4 is tested with v1.32 to v1.35: it is too new.',
  );
  expect(find(id, { cluster: { kubernetesVersion: 'v1.30.3' } }, upgrade('v3.31.4')).because).toContain('too old');
});

test('a version that was not read is unknown', () => {
  expect(find(id, uncover(aFacts(), 'cluster'), upgrade('v3.32.0')).status).toBe('unknown');
});
