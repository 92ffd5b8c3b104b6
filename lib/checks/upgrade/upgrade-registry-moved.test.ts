import { expect, test } from 'vitest';
import { registryOf } from '../reading/images.ts';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { findUpgrading } from '../testing/an-upgrade.ts';
import { installation } from '../testing/calico-objects.ts';

const id = 'upgrade.registry-moved';
const agent = 'calico-system/DaemonSet/calico-node';

const running = (image: string | null, registry?: string, method: 'operator' | 'manifest-kdd' = 'operator') => ({
  installation: { method, agent },
  resources: {
    objects: {
      ...(image === null
        ? {}
        : {
            [agent]: {
              apiVersion: 'apps/v1',
              kind: 'DaemonSet',
              metadata: { name: 'calico-node', namespace: 'calico-system' },
              spec: { template: { spec: { containers: [{ name: 'calico-node', image }] } } },
            },
          }),
      ...installation(registry === undefined ? {} : { registry }),
    },
  },
});

test.each([
  ['docker.io, not pinned', 'v3.29.7', running('docker.io/calico/node:v3.29.7'), 'fail'],
  ['docker.io, pinned', 'v3.29.7', running('docker.io/calico/node:v3.29.7', 'docker.io/'), 'pass'],
  ['the default by name is no pin', 'v3.29.7', running('docker.io/calico/node:v3.29.7', 'UseDefault'), 'fail'],
  ['a mirror, pinned', 'v3.29.7', running('mirror.example:5000/calico/node:v3.29.7', 'mirror.example:5000/'), 'pass'],
  ['quay.io already', 'v3.30.7', running('quay.io/calico/node:v3.30.7'), 'pass'],
  ['it moved within v3.30: the image says', 'v3.30.4', running('quay.io/calico/node:v3.30.4'), 'pass'],
  ['… and without it nobody knows', 'v3.30.4', running(null), 'unknown'],
  ['by the table alone', 'v3.29.7', running(null), 'fail'],
  ['without a host', 'v3.24.5', running('calico/node:v3.24.5', undefined, 'manifest-kdd'), 'fail'],
  [
    'a mirror in a manifest',
    'v3.27.5',
    running('mirror.example/calico/node:v3.27.5', undefined, 'manifest-kdd'),
    'fail',
  ],
])('%s: from %s', (_name, from, facts, status) => {
  expect(findUpgrading(id, { from, facts })).toMatchObject({ status, severity: 'warning' });
});

test('both registries are named', () => {
  expect(findUpgrading(id, { from: 'v3.27.5', facts: running('docker.io/calico/node:v3.27.5') })).toMatchObject({
    because: 'Images come from docker.io/calico now, and from quay.io/calico with v3.31.4.',
    subjects: [{ kind: 'DaemonSet', namespace: 'calico-system', name: 'calico-node' }],
  });
});

test.each([
  ['docker.io/calico/node:v3.27.5', 'docker.io/calico'],
  ['calico/node:v3.24.5', 'docker.io/calico'],
  ['node:v1', 'docker.io'],
  ['localhost/calico/node', 'localhost/calico'],
  ['mirror.example:5000/a/b/node@sha256:0', 'mirror.example:5000/a/b'],
])('%s comes from %s', (image, registry) => {
  expect(registryOf(image)).toBe(registry);
});

test('a way of installing that was not read is unknown; without Calico it does not apply', () => {
  const facts = uncover(aFacts(running('quay.io/calico/node:v3.30.7')), 'installation');
  expect(findUpgrading(id, { facts }).status).toBe('unknown');
  expect(findUpgrading(id, { facts: { installation: { method: 'none' } } }).status).toBe('skipped');
});
