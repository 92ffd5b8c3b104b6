import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { createStore, type Kube, KubeError, type KubeObject, openDump, systemClock } from '#lib/kube/index.ts';
import { journalNamespaces, type Resource, resources } from '#lib/spec/index.ts';
import { readStatus } from './cluster-status.ts';
import { watchCluster } from './watch/watch-cluster.ts';

const felix = (apiVersion: string): KubeObject => ({
  apiVersion,
  kind: 'FelixConfiguration',
  metadata: { name: 'default' },
  spec: { bpfEnabled: true },
});
const { felixConfigurations: stored, felixConfigurationsV3: shown } = resources;
const others = Object.values(resources).filter(({ kind }) => kind !== 'FelixConfiguration');

/** A cluster that refuses to show FelixConfigurations, in either API group. */
const refusing = (kube: Kube): Kube => ({
  ...kube,
  get: async (ref, options) => {
    if (ref.resource.kind === 'FelixConfiguration')
      throw new KubeError('forbidden', 'You may not get felixconfigurations.');
    return kube.get(ref, options);
  },
});

const clusterOf = (kinds: readonly Resource[], objects: readonly KubeObject[]): Kube =>
  createStore({ name: 'lab', source: 'live', kinds: [...others, ...kinds], objects });

async function statusWith(kinds: readonly Resource[], ...objects: KubeObject[]) {
  const kube = clusterOf(kinds, objects);
  return readStatus(
    kinds.length === 0 ? refusing(kube) : kube,
    '2026-11-23T03:00:00.000Z',
    new AbortController().signal,
  );
}

test.each([
  ['by the name of the datastore', [stored, shown], [felix('crd.projectcalico.org/v1')], true, 0],
  ["by the name of Calico's own API, where the other is not served", [shown], [felix('projectcalico.org/v3')], true, 0],
  ['by neither, where one of them answers', [shown], [], null, 0],
  ['by neither, where neither may be read', [], [], null, 1],
] as const)('FelixConfiguration is read %s', async (_name, kinds, objects, bpfEnabled, unread) => {
  const status = await statusWith(kinds, ...objects);
  expect(status.felix?.bpfEnabled ?? null).toBe(bpfEnabled);
  expect(status.unknown.filter(({ kind }) => kind === 'FelixConfiguration')).toHaveLength(unread);
});

const agentsIn = (namespace: string, env: readonly object[] = [], name = 'calico-node'): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name, namespace },
  spec: { template: { spec: { containers: [{ name: 'calico-node', image: 'quay.io/calico/node:v3.30.7', env }] } } },
  status: { observedGeneration: 1, desiredNumberScheduled: 6, updatedNumberScheduled: 6, numberAvailable: 6 },
});

test.each([
  ['by calico.yaml', 'kube-system', 'calico-node', { version: 'v3.30.7', bpf: null }],
  ['by canal.yaml', 'kube-system', 'canal', { version: 'v3.30.7', bpf: null }],
  ['by canal-etcd.yaml', 'kube-system', 'canal-node', { version: 'v3.30.7', bpf: null }],
  ['by whoever put them where the operator does', 'calico-system', 'calico-node', undefined],
])('agents without an Installation: %s', async (_name, namespace, daemonSet, manifest) => {
  const status = await statusWith([stored], agentsIn(namespace, [], daemonSet));
  expect(status.manifest).toEqual(manifest);
  expect(status.agents).toEqual({ desired: 6, updated: 6, available: 6 });
});

test('an agent counts as updated only once its controller has seen the change: before, the counts are of the template before', async () => {
  const { metadata, status, ...rest } = agentsIn('kube-system');
  const changed = {
    ...rest,
    metadata: { ...metadata, generation: 3 },
    status: { ...Object(status), observedGeneration: 2 },
  };
  expect((await statusWith([stored], changed)).agents).toEqual({ desired: 6, updated: 0, available: 6 });
});

test.each([
  ['the FelixConfiguration', [], felix('crd.projectcalico.org/v1'), true],
  [
    'their environment, which beats it',
    [{ name: 'FELIX_BPFENABLED', value: 'false' }],
    felix('crd.projectcalico.org/v1'),
    false,
  ],
  [
    'a ConfigMap, which is not read',
    [{ name: 'FELIX_BPFENABLED', valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } }],
    felix('crd.projectcalico.org/v1'),
    null,
  ],
])('whether agents by manifest use eBPF is told by %s', async (_name, env, configuration, bpf) => {
  const status = await statusWith([stored], agentsIn('kube-system', env), configuration);
  expect(status.manifest?.bpf).toBe(bpf);
});

test('kinds that a cluster does not serve are no doubt about it; a dump without them tells nothing', async () => {
  const unread = async (source: 'live' | 'dump') => {
    const served = Object.values(resources).filter(({ kind }) => kind !== 'TigeraStatus' && kind !== 'Installation');
    const kube = createStore({ name: 'lab', source, kinds: served, objects: [agentsIn('kube-system')] });
    const { unknown } = await readStatus(kube, '2026-11-23T03:00:00.000Z', new AbortController().signal);
    return unknown.map(({ kind }) => kind);
  };
  expect(await unread('live')).toEqual([]);
  expect(await unread('dump')).toContain('TigeraStatus');
});

test.each([
  ['Helm’s own', { annotations: { 'meta.helm.sh/release-name': 'calico' } }, 'helm'],
  ['the operator’s alone', {}, undefined],
])('an Installation that is %s', async (_name, marks, by) => {
  const installation = {
    apiVersion: 'operator.tigera.io/v1',
    kind: 'Installation',
    metadata: { name: 'default', ...marks },
  };
  expect((await statusWith([stored], installation)).installation?.by).toBe(by);
});

test.each([
  ['in the form of the datastore', [stored, shown], [felix('crd.projectcalico.org/v1')], true],
  ["in that of Calico's own API, where the other is not served", [shown], [felix('projectcalico.org/v3')], true],
  ['in neither', [], [], null],
] as const)(
  'the live watch shows FelixConfiguration %s, in its first picture',
  async (_name, kinds, objects, bpfEnabled) => {
    const stop = new AbortController();
    const options = { clock: systemClock, journalNamespaces, signal: stop.signal };
    const changes = watchCluster({ kube: clusterOf(kinds, objects), ...options });
    for await (const change of changes) {
      if (change.kind !== 'whole') continue;
      expect(change.picture.status.felix?.bpfEnabled ?? null).toBe(bpfEnabled);
      expect(change.picture.status.unknown.map(({ kind }) => kind)).not.toContain('FelixConfiguration');
      stop.abort();
    }
    expect.assertions(2);
  },
);

test('the status of a dump names each kind that the dump leaves out as unknown', async () => {
  const folder = testFolder('dump');
  writeFileSync(join(folder, 'nodes.yaml'), 'apiVersion: v1\nkind: NodeList\nitems: []\n');
  const dump = await openDump([folder]);
  const { unknown } = await readStatus(dump, '2026-11-28T03:00:00.000Z', new AbortController().signal);
  expect(unknown.map(({ kind }) => kind).toSorted()).toEqual([
    'DaemonSet',
    'FelixConfiguration',
    'Installation',
    'TigeraStatus',
  ]);
});

test('the status of a dump names a kind of which the dump has only the first page', async () => {
  const folder = testFolder('dump');
  const metadata = { continue: 'more', remainingItemCount: 5 };
  const daemonSets = { apiVersion: 'apps/v1', kind: 'DaemonSetList', metadata, items: [] };
  writeFileSync(join(folder, 'daemonsets.json'), JSON.stringify(daemonSets));
  const dump = await openDump([folder]);
  const { unknown } = await readStatus(dump, '2026-11-28T03:00:00.000Z', new AbortController().signal);
  expect(unknown.find(({ kind }) => kind === 'DaemonSet')?.because).toContain('beyond the first page of their list');
});
