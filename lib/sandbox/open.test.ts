import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/kube/index.ts';
import { emulatedOperators } from '#lib/operator/index.ts';
import { felixLines, names, resources } from '#lib/spec/index.ts';
import { openSandbox } from './open.ts';
import { templates } from './templates/index.ts';
import { openTestCluster, type TestCluster } from './test-cluster.ts';

const brief = ({ kind, metadata }: KubeObject): string => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

const degraded = ['modified TigeraStatus /calico', 'modified Installation /default'];

/** The public operator says how many nodes it waits for, ours which. The others show what somebody has just done, and the operator sees it. */
const saidBetter: Record<string, string[]> = {
  'not-ready': degraded,
  'two-endpoints': degraded,
  'bpf-by-hand': ['modified FelixConfiguration /default', ...degraded],
};

test.each(Object.keys(templates))('%s: opening it with its operator changes nothing', async (name) => {
  const sandbox = await openSandbox(name, { speed: 'instant', operator: 'signalbox' });
  const writes: string[] = [];
  sandbox.store.onChange(({ type, object }) => writes.push(`${type} ${brief(object)}`));
  await sandbox.clock.sleep(120_000);
  await sandbox.close();
  expect(writes).toEqual(saidBetter[name] ?? []);
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
    const cluster = await openTestCluster({}, { operator: 'signalbox' });
    await enable(cluster);
    await cluster.close();
    return cluster.writes.map(({ at, type, object }) => `${at} ${type} ${brief(object)}`);
  };
  const first = await sequence();
  expect(first.length).toBeGreaterThan(200);
  expect(await sequence()).toEqual(first);
});

test.each(emulatedOperators.filter((like) => like !== 'v3.30.7'))(
  'enabled under %s: every node is on eBPF, in no time',
  async (like) => {
    const cluster = await openTestCluster({}, { operator: like });
    const before = process.cpuUsage();
    await enable(cluster);
    // Time of its own, so that a busy machine does not count.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(10_000);
    for (const node of await cluster.list(resources.nodes)) {
      expect(await cluster.agentLog(node.metadata.name ?? '')).toContain(felixLines.bpfEnabled);
    }
    expect(await cluster.kube.get({ resource: resources.felixConfigurations, name: 'default' })).toMatchObject({
      metadata: { annotations: { [names.bpfEnabledAnnotation]: 'true' } },
      spec: { bpfEnabled: true },
    });
    await cluster.close();
  },
);

test('what failed inside is told when it is closed', async () => {
  const cluster = await openTestCluster();
  cluster.store.intercept(async (call, proceed) => {
    if (call.verb === 'create' && call.resource === 'pods') throw new Error('a bug');
    await proceed();
  });
  await cluster.rollAgents('10.0.0.11');
  await cluster.clock.sleep(5_000);
  await expect(cluster.close()).rejects.toThrow('a bug');
});

/** The acts of the journey, without their waits: the operator and the nodes do the rest. */
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
