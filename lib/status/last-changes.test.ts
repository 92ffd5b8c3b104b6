import { expect, test } from 'vitest';
import { createStore, type Kube, KubeError, type KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { readLastChanges } from './last-changes.ts';

const written = (manager: string, time: string, fieldsV1: object) => ({
  manager,
  operation: 'Update' as const,
  time,
  fieldsV1,
});
const dataplane = { 'f:spec': { 'f:calicoNetwork': { 'f:linuxDataplane': {} } } };
const selector = { 'f:spec': { 'f:template': { 'f:spec': { 'f:nodeSelector': {} } } } };

const installation: KubeObject = {
  apiVersion: 'operator.tigera.io/v1',
  kind: 'Installation',
  metadata: {
    name: 'default',
    managedFields: [
      written('operator', '2026-11-28T12:00:00Z', { 'f:status': {} }),
      written('kubectl-patch', '2026-11-28T10:31:08Z', dataplane),
    ],
  },
  spec: { calicoNetwork: { linuxDataplane: 'Iptables' } },
};
const proxy = (managedFields: object[]): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'kube-proxy', namespace: 'kube-system', managedFields },
  spec: { template: { spec: { nodeSelector: { 'kubernetes.io/os': 'linux', 'non-calico': 'true' } } } },
});

const clusterOf = (objects: readonly KubeObject[]): Kube =>
  createStore({ name: 'lab', source: 'live', kinds: Object.values(resources), objects });
const read = (kube: Kube) => readLastChanges(kube, AbortSignal.timeout(10_000));

test('each deciding field has its writer, the newest change first; writers of other fields are left out', async () => {
  const turnedOff = proxy([written('signalbox', '2026-11-22T09:00:00Z', selector)]);
  expect(await read(clusterOf([installation, turnedOff]))).toEqual({
    changes: [
      {
        object: 'Installation/default',
        field: 'linuxDataplane',
        value: 'Iptables',
        at: '2026-11-28T10:31:08Z',
        by: ['kubectl-patch'],
      },
      {
        object: 'kube-system/DaemonSet/kube-proxy',
        field: 'nodeSelector',
        value: 'kubernetes.io/os=linux, non-calico=true',
        at: '2026-11-22T09:00:00Z',
        by: ['signalbox'],
      },
    ],
    unknown: [],
  });
});

test('a field without a record has neither writer nor time', async () => {
  const { changes } = await read(clusterOf([proxy([])]));
  expect(changes).toMatchObject([{ field: 'nodeSelector', at: null, by: [] }]);
});

test('a kube-proxy that does not exist is listed without a time', async () => {
  const { changes } = await read(clusterOf([installation]));
  expect(changes.at(-1)).toEqual({
    object: 'kube-system/DaemonSet/kube-proxy',
    field: null,
    value: null,
    at: null,
    by: [],
  });
});

test('an object that may not be read is no change, and is named as unknown', async () => {
  const kube = clusterOf([installation]);
  const refusing: Kube = {
    ...kube,
    get: async (ref, options) => {
      if (ref.resource.kind === 'DaemonSet') throw new KubeError('forbidden', 'You may not get daemonsets.');
      return kube.get(ref, options);
    },
  };
  expect(await read(refusing)).toMatchObject({
    changes: [{ object: 'Installation/default' }],
    unknown: ['You may not get daemonsets.'],
  });
});
