import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { KubeObject } from '#lib/kube/index.ts';
import { type ManifestObject, names, type Resource, resources } from '#lib/spec/index.ts';
import { type OpenSandbox, openSandbox } from './open.ts';
import { sandboxRelease } from './release/sandbox-release.ts';

let sandbox: OpenSandbox | null = null;
afterEach(async () => {
  await sandbox?.close();
  sandbox = null;
});

async function open(name: string): Promise<OpenSandbox> {
  sandbox = await openSandbox(name, { speed: 'instant', operator: 'v3.31.4' });
  return sandbox;
}

async function kindOf({ kube }: OpenSandbox, { apiVersion, kind }: ManifestObject): Promise<Resource> {
  const found = (await kube.discover()).resources.find(
    (one) => one.kind === kind && apiVersion === (one.group ? `${one.group}/${one.version}` : one.version),
  );
  if (!found) throw new Error(`${kind} of ${apiVersion} is not served`);
  return found;
}

async function applyFile(at: OpenSandbox, version: string, file: string): Promise<void> {
  for (const object of sandboxRelease(version).manifests[file]?.objects ?? [])
    await at.kube.apply(await kindOf(at, object), object as KubeObject, { force: true });
}

async function deleteFile(at: OpenSandbox, version: string, file: string): Promise<void> {
  for (const object of (sandboxRelease(version).manifests[file]?.objects ?? []).toReversed()) {
    const resource = await kindOf(at, object);
    const { name, namespace = '' } = object.metadata;
    const ref = { resource, name, ...(resource.namespaced ? { namespace } : {}) };
    if (await at.kube.get(ref)) await at.kube.delete(ref, { propagation: 'Foreground' });
    for (let second = 0; (await at.kube.get(ref)) && second < 120; second++) await at.clock.sleep(1_000);
    expect(await at.kube.get(ref), `${object.kind} ${name}`).toBeNull();
  }
}

const installation = { resource: resources.installations, name: names.installation };
/** A pod that was evicted comes back with another name, so that pods count by their owner. */
const idsOf = (objects: readonly KubeObject[]) =>
  objects
    .map(({ kind, metadata: { namespace, name, ownerReferences } }) => {
      const set = ownerReferences?.find((owner) => owner.kind === 'ReplicaSet');
      return `${kind} ${namespace ?? ''}/${set ? `of ${set.name}` : name}`;
    })
    .sort();

const conditionOf = (object: KubeObject, type: string) =>
  conditions.parse(object.status).conditions.find((one) => one.type === type);
const conditions = z.object({
  conditions: z.array(z.object({ type: z.string(), status: z.string(), message: z.string().nullish() })),
});
/** What the nodes say about their network, and the state of CoreDNS: one line each, where all say the same. */
async function network({ kube }: OpenSandbox): Promise<string[]> {
  const seen = new Set<string>();
  for await (const { items } of kube.list(resources.nodes))
    for (const node of items) {
      const ready = conditionOf(node, 'Ready');
      const taints = taintsOf.parse(node.spec).taints.filter(({ key }) => key === 'node.kubernetes.io/not-ready');
      seen.add(`Ready ${ready?.status}: ${ready?.message}; ${taints.map(({ effect }) => effect).join(', ')}`);
    }
  for await (const { items } of kube.list(resources.pods, { labelSelector: 'k8s-app=kube-dns' }))
    for (const pod of items)
      seen.add(
        conditionOf(pod, 'Ready')?.status === 'True' ? 'DNS runs' : `DNS: ${conditionOf(pod, 'PodScheduled')?.message}`,
      );
  return [...seen].sort();
}
const taintsOf = z.object({ taints: z.array(z.object({ key: z.string(), effect: z.string() })).default([]) });
const withoutNetwork = [
  'DNS: 0/6 nodes are available: 6 node(s) had untolerated taint {node.kubernetes.io/not-ready: }.',
  'Ready False: container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized; NoSchedule',
];
const withNetwork = ['DNS runs', 'Ready True: kubelet is posting ready status; '];
const saysAll = async ({ kube }: OpenSandbox) =>
  JSON.stringify(await kube.get({ resource: resources.tigeraStatuses, name: 'calico' })).includes(
    'All objects available',
  );

test.each(['v3.31.4', 'v3.30.7', 'v3.31.7'])(
  'Calico %s is installed on an empty cluster, and taken away again without residue',
  async (version) => {
    const at = await open('empty');
    const before = idsOf(at.objects());
    expect(await network(at)).toEqual(withoutNetwork);
    // A follower of the writes, as a kept sandbox is, ends with the same objects.
    const followed = new Map(at.objects().map((object) => [object.metadata.uid, object]));
    at.store.onChange(({ type, object }) => {
      if (type === 'deleted') followed.delete(object.metadata.uid);
      else followed.set(object.metadata.uid, object);
    });
    expect((await at.kube.discover()).resources.map(({ kind }) => kind)).not.toContain('Installation');

    await applyFile(at, version, 'operator-crds.yaml');
    await applyFile(at, version, 'custom-resources.yaml');
    await at.clock.sleep(30_000);
    // Nobody acts yet, because the operator is not there.
    expect(await network(at)).toEqual(withoutNetwork);
    expect((await at.kube.get(installation))?.metadata.finalizers).toBeUndefined();
    await applyFile(at, version, 'tigera-operator.yaml');
    await at.clock.sleep(120_000);
    expect(await saysAll(at)).toBe(true);
    expect(await network(at)).toEqual(withNetwork);
    expect(await at.kube.get(installation)).toMatchObject({ status: { calicoVersion: version } });
    expect(await at.kube.get({ resource: resources.ipPools, name: 'default-ipv4-ippool' })).toMatchObject({
      spec: { cidr: '192.168.0.0/16', vxlanMode: 'CrossSubnet' },
    });

    await deleteFile(at, version, 'custom-resources.yaml');
    await deleteFile(at, version, 'tigera-operator.yaml');
    await deleteFile(at, version, 'operator-crds.yaml');
    await at.clock.sleep(30_000);
    expect(idsOf(at.objects())).toEqual(before);
    expect(idsOf([...followed.values()])).toEqual(before);
    expect(await network(at)).toEqual(withoutNetwork);
  },
);

test('a node whose kubelet stopped says nothing of its network, and its agents wait', async () => {
  const at = await open('empty');
  const node = { resource: resources.nodes, name: 'worker-1' };
  const stopped = { type: 'Ready', status: 'Unknown', message: 'Kubelet stopped posting node status.' };
  const body = { status: { conditions: [stopped] } };
  await at.kube.patch(node, { type: 'merge', body }, { subresource: 'status' });
  for (const file of ['operator-crds.yaml', 'tigera-operator.yaml', 'custom-resources.yaml'])
    await applyFile(at, 'v3.31.4', file);
  await at.clock.sleep(120_000);
  expect(await saysAll(at)).toBe(false);
  expect((await network(at)).filter((line) => line.startsWith('Ready'))).toEqual([
    withNetwork[1],
    'Ready Unknown: Kubelet stopped posting node status.; NoSchedule',
  ]);
});

test('an agent that is replaced takes no network away; where its provider’s is, nodes are Ready without Calico', async () => {
  const at = await open('empty-eks-aws-node');
  expect((await network(at))[1]).toBe(withNetwork[1]);
  const unready: string[] = [];
  at.store.onChange(({ object }) => {
    if (object.kind === 'Node' && conditionOf(object, 'Ready')?.status !== 'True')
      unready.push(object.metadata.name ?? '');
  });
  const agents = { resource: resources.daemonSets, namespace: 'kube-system', name: 'aws-node' };
  const template = { metadata: { annotations: { restarted: 'now' } } };
  await at.kube.patch(agents, { type: 'merge', body: { spec: { template } } });
  await at.clock.sleep(60_000);
  expect(unready).toEqual([]);
  await at.kube.delete(agents);
  await at.clock.sleep(10_000);
  expect(new Set(unready).size).toBe(6);
});

test('the Installation waits for its operator: without one it is never gone', async () => {
  const at = await open('empty');
  for (const file of ['operator-crds.yaml', 'tigera-operator.yaml', 'custom-resources.yaml'])
    await applyFile(at, 'v3.31.4', file);
  await at.clock.sleep(60_000);
  await at.kube.delete({
    resource: resources.deployments,
    namespace: names.operatorNamespace,
    name: names.operatorDeployment,
  });
  await at.clock.sleep(5_000);
  await at.kube.delete(installation);
  await at.clock.sleep(300_000);
  expect((await at.kube.get(installation))?.metadata).toMatchObject({
    finalizers: expect.arrayContaining([names.cleanupFinalizer, names.installationFinalizer]),
  });
  await applyFile(at, 'v3.31.4', 'tigera-operator.yaml');
  await at.clock.sleep(120_000);
  expect(await at.kube.get(installation)).toBeNull();
});

test('an operator that manages CRDs brings those that are missing', async () => {
  const at = await open('empty');
  await applyFile(at, 'v3.31.4', 'tigera-operator.yaml');
  await at.clock.sleep(30_000);
  await applyFile(at, 'v3.31.4', 'custom-resources.yaml');
  await at.clock.sleep(120_000);
  expect(await saysAll(at)).toBe(true);
});

test('an operator whose namespace another one has taken does nothing', async () => {
  const at = await open('empty');
  const metadata = { name: names.calicoNamespace };
  await at.kube.create(resources.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata });
  const active = {
    resource: resources.configMaps,
    namespace: names.calicoNamespace,
    name: names.activeOperatorConfigMap,
  };
  await at.kube.create(resources.configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: active.name, namespace: active.namespace },
    data: { [names.activeNamespaceKey]: 'networking' },
  });
  for (const file of ['operator-crds.yaml', 'tigera-operator.yaml', 'custom-resources.yaml'])
    await applyFile(at, 'v3.31.4', file);
  await at.clock.sleep(60_000);
  expect((await at.kube.get(installation))?.metadata.finalizers).toBeUndefined();
  await at.kube.patch(active, { type: 'merge', body: { data: { [names.activeNamespaceKey]: '' } } });
  await at.clock.sleep(120_000);
  expect(await saysAll(at)).toBe(true);
});
