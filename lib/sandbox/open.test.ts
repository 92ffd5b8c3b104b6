import { expect, test } from 'vitest';
import { same } from '#lib/base/records.ts';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { felixLines, names, resources } from '#lib/spec/index.ts';
import { type OpenSandbox, openSandbox } from './open.ts';
import { templates } from './templates/index.ts';
import { openTestCluster, type TestCluster } from './test-cluster.ts';

const brief = ({ kind, metadata }: KubeObject): string => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

/** An operator that starts reports no fault for its first four ticks, and then the faults that it finds (lib/operator/status/ticker.ts). */
const restarting = ['modified TigeraStatus /calico', 'modified Installation /default'];

/** Samples that show what somebody has just done. The operator notices it, and writes these objects. */
const seen: Record<string, string[]> = {
  'two-endpoints': ['Installation /default', 'TigeraStatus /calico'],
  'bpf-by-hand': ['Installation /default', 'TigeraStatus /calico'],
};

test.each(Object.keys(templates))('%s: opening it with its operator changes nothing that stays', async (name) => {
  const sandbox = await openSandbox(name, { speed: 'instant', operator: 'v3.31.4' });
  const before = contents(sandbox);
  const writes = new Set<string>();
  sandbox.store.onChange(({ type, object }) => writes.add(`${type} ${brief(object)}`));
  await sandbox.clock.sleep(120_000);
  const after = contents(sandbox);
  await sandbox.close();
  expect([...writes].filter((write) => !restarting.includes(write))).toEqual([]);
  expect([...after].flatMap(([id, object]) => (same(before.get(id), object) ? [] : [id])).sort()).toEqual(
    seen[name] ?? [],
  );
});

/** The content of each object, without the fields that every write changes. */
function contents(sandbox: OpenSandbox): Map<string, unknown> {
  return new Map(
    sandbox.objects().map((object) => {
      const { resourceVersion: _, managedFields: __, ...metadata } = object.metadata;
      return [brief(object), { ...object, metadata }];
    }),
  );
}

test('closed right after a deletion, what went with the deleted object is saved', async () => {
  const state = testFolder('sandbox-close');
  const onDisk = { speed: 'instant', state } as const;
  const made = { resource: resources.namespaces, name: 'made' };
  const sandbox = await openSandbox('standard', onDisk);
  await sandbox.kube.create(resources.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'made' } });
  await sandbox.kube.delete(made);
  await sandbox.close();
  const again = await openSandbox('standard', onDisk);
  const left = again.objects().map(brief);
  await again.close();
  expect(left).not.toContain('Namespace /made');
});

test('a fresh copy of a sample costs a quarter of a second', async () => {
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const before = process.cpuUsage();
    const sandbox = await openSandbox('standard', { speed: 'normal' });
    times.push(process.cpuUsage(before).user / 1000);
    await sandbox.close();
  }
  expect(Math.min(...times)).toBeLessThan(250);
});

test('the same actions on the same sample give the same sequence of writes', async () => {
  const sequence = async () => {
    const cluster = await openTestCluster({}, { operator: 'v3.31.4' });
    await enable(cluster);
    await cluster.close();
    return cluster.writes.map(({ at, type, object }) => `${at} ${type} ${brief(object)}`);
  };
  const first = await sequence();
  expect(first.length).toBeGreaterThan(150);
  expect(await sequence()).toEqual(first);
});

test('enabled: every node is on eBPF, in no time', async () => {
  const cluster = await openTestCluster({}, { operator: 'v3.31.4' });
  const before = process.cpuUsage();
  await enable(cluster);
  // Processor time of this process, so that a busy machine does not count.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(10_000);
  for (const node of await cluster.list(resources.nodes)) {
    expect(await cluster.agentLog(node.metadata.name ?? '')).toContain(felixLines.bpfEnabled);
  }
  expect(await cluster.kube.get({ resource: resources.felixConfigurations, name: 'default' })).toMatchObject({
    metadata: { annotations: { [names.bpfEnabledAnnotation]: 'true' } },
    spec: { bpfEnabled: true },
  });
  await cluster.close();
});

test('closing a sandbox reports a failure inside it', async () => {
  const cluster = await openTestCluster();
  cluster.store.intercept(async (call, proceed) => {
    if (call.verb === 'create' && call.resource === 'pods') throw new Error('a bug');
    await proceed();
  });
  await cluster.rollAgents('10.0.0.11');
  await cluster.clock.sleep(5_000);
  await expect(cluster.close()).rejects.toThrow('a bug');
});

/** The acts of the journey without its waits. The operator and the nodes do the rest. */
async function enable(cluster: TestCluster): Promise<void> {
  const { kube, clock } = cluster;
  await kube.apply(resources.configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: names.endpointConfigMap, namespace: names.operatorNamespace },
    data: { [names.endpointHostKey]: 'api.sandbox.example', [names.endpointPortKey]: '6443' },
  });
  await clock.sleep(30_000);
  await cluster.felix({ bpfKubeProxyIptablesCleanupEnabled: false });
  await clock.sleep(5_000);
  await kube.patch(
    { resource: resources.installations, name: names.installation },
    { type: 'merge', body: { spec: { calicoNetwork: { linuxDataplane: 'BPF', hostPorts: null } } } },
  );
  await clock.sleep(120_000);
}
