import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { type Resource, resources } from '#lib/spec/index.ts';
import { readVersions } from './versions.ts';

const cluster = (objects: readonly KubeObject[], kinds: readonly Resource[]) =>
  createStore({ name: 'c', source: 'sandbox', kinds: [...kinds], objects: [...objects], version: 'v1.34.3' });

const installation = (calicoVersion?: string): KubeObject => ({
  apiVersion: 'operator.tigera.io/v1',
  kind: 'Installation',
  metadata: { name: 'default' },
  status: calicoVersion === undefined ? {} : { calicoVersion },
});
const information = (apiVersion: string, calicoVersion: unknown): KubeObject => ({
  apiVersion,
  kind: 'ClusterInformation',
  metadata: { name: 'default' },
  spec: { calicoVersion, clusterType: 'k8s,bgp' },
});
const agent = (image: string, env: { name: string; value: string }[], name = 'calico-node'): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name, namespace: 'kube-system' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'calico-node', image, env }] } },
  },
});
const etcd = [{ name: 'ETCD_ENDPOINTS', value: 'https://10.0.0.1:2379' }];
const kubernetes = [{ name: 'DATASTORE_TYPE', value: 'kubernetes' }];
const v1 = 'crd.projectcalico.org/v1';
const v3 = 'projectcalico.org/v3';
const image = (tag: string) => `quay.io/calico/node:${tag}`;

test.each<[what: string, KubeObject[], version: string | null, told: RegExp]>([
  [
    'the operator’s word comes before the first upgraded node’s',
    [installation('v3.30.7'), information(v1, 'v3.31.4')],
    'v3.30.7',
    /^Installation/,
  ],
  [
    'ClusterInformation tells of a manifest',
    [information(v1, 'v3.27.5'), agent(image('v3.27.5'), kubernetes)],
    'v3.27.5',
    /^ClusterInformation/,
  ],
  [
    'in etcd, what lies of it in the API is a leftover',
    [information(v1, 'v3.15.0'), agent(image('v3.31.4'), etcd)],
    'v3.31.4',
    /^kube-system\/DaemonSet\/calico-node image/,
  ],
  [
    'in etcd, Calico’s own API tells it',
    [information(v3, 'v3.31.4'), information(v1, 'v3.15.0'), agent('mirror/node@sha256:abc', etcd)],
    'v3.31.4',
    /^ClusterInformation/,
  ],
  [
    'canal with etcd has a name of its own',
    [agent(image('v3.24.6'), etcd, 'canal-node')],
    'v3.24.6',
    /canal-node image/,
  ],
  ['an image by its digest', [agent('mirror/node@sha256:abc', etcd)], null, /mirror\/node@sha256:abc does not name it/],
  ['an installation that has not begun', [installation()], null, /has not reported a version yet/],
  ['no Calico', [], null, /no Installation, no ClusterInformation and no agent/],
  ['nonsense in its place', [information(v1, { v: 3 })], null, /no agent of Calico/],
])('%s: %s', async (_what, objects, version, reason) => {
  const kube = cluster(objects, [
    resources.installations,
    resources.clusterInformations,
    ...(objects.some(({ apiVersion }) => apiVersion === v3) ? [resources.clusterInformationsV3] : []),
  ]);
  const read = await readVersions(kube, AbortSignal.timeout(10_000));
  expect(read.calico).toBe(version);
  expect(read.calicoFrom ?? read.calicoUnknown).toMatch(reason);
});
