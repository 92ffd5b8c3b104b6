import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { findUpgrading } from '../testing/an-upgrade.ts';

const id = 'upgrade.cli-version';
const running = (image: string, version: string | null) => ({
  upgrade: {
    calicoctls: [
      {
        subject: { kind: 'Pod', namespace: 'kube-system', name: 'calicoctl', detail: `runs ${image}` },
        image,
        version,
      },
    ],
  },
});

test.each<[string, string | null, string]>([
  ['docker.io/calico/ctl:v3.27.5', 'v3.27.5', 'fail'],
  ['quay.io/calico/ctl:v3.31.3', 'v3.31.3', 'fail'],
  ['quay.io/calico/ctl:v3.31.4', 'v3.31.4', 'pass'],
  ['mirror.example/calico/ctl@sha256:0', null, 'unknown'],
])('%s: %s', (image, version, status) => {
  expect(findUpgrading(id, { facts: running(image, version) })).toMatchObject({ status, severity: 'warning' });
});

test('no pod passes, and says what nobody can see', () => {
  expect(findUpgrading(id).because).toContain('Copies on your own machines are not checked');
  expect(findUpgrading(id, { facts: running('docker.io/calico/ctl:v3.27.5', 'v3.27.5') }).because).toBe(
    '1 pod runs calicoctl of another release: calicoctl (calicoctl v3.27.5, v3.31.4 is needed).',
  );
});

test('unread is unknown; without Calico it does not apply', () => {
  expect(findUpgrading(id, { facts: uncover(aFacts(), 'calicoctls') }).status).toBe('unknown');
  expect(findUpgrading(id, { facts: { installation: { method: 'none' } } }).status).toBe('skipped');
});
