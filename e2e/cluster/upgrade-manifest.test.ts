import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { calicoFile, type Plane, startControlPlane, unexpectedDials } from '#e2e/controlplane/index.ts';
import { isRecord } from '#lib/base/records.ts';
import { connect, type KubeObject, type LiveKube } from '#lib/kube/index.ts';
import { names, type ObjectRef, resourceOf, resources } from '#lib/spec/index.ts';
import { comesBackTo } from './testing/comes-back.ts';
import { contentsOf } from './testing/contents.ts';
import { eventually } from './testing/eventually.ts';
import { openOperations } from './testing/journal.ts';
import { type Desk, mustSignalbox, type Running, startSignalbox } from './testing/signalbox-process.ts';
import { type Wire, type Write, wireTo } from './testing/wire.ts';

/**
 * What `kubectl apply -f calico.yaml` made, changed by hand since, to the next release and back, on a real API server: killed while fields are
 * taken over and while objects are applied, and every object is compared at the end.
 */
let plane: Plane;
let kube: LiveKube;
let wire: Wire;
let folder: string;

beforeAll(async () => {
  plane = await startControlPlane({ kind: 'empty', nodes: 3, like: 'v3.30.7' });
  kube = await connect({ kubeconfig: plane.kubeconfig });
  wire = await wireTo(plane, 'wire');
  folder = mkdtempSync(join(tmpdir(), 'signalbox-manifest-'));
});

afterAll(async () => {
  wire?.close();
  await kube?.close();
  await plane?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const agents: ObjectRef = {
  resource: resources.daemonSets,
  namespace: names.systemNamespace,
  name: names.nodeDaemonSet,
};
const config: ObjectRef = { resource: resources.configMaps, namespace: names.systemNamespace, name: 'calico-config' };
const byKubectl = { fieldManager: 'kubectl-client-side-apply' };
const byHand = { fieldManager: 'kubectl-edit' };

/** As client-side apply leaves it, its copy of the whole object included. */
async function install(version: string): Promise<void> {
  for (const document of parseAllDocuments(await calicoFile(version, 'calico.yaml'))) {
    const object = document.toJS() as KubeObject | null;
    const resource = object && resourceOf(object.apiVersion, object.kind);
    if (!object || !resource) continue;
    const isDefinition = resource.kind === 'CustomResourceDefinition';
    const copy = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(object) };
    const annotations = { ...object.metadata.annotations, ...(isDefinition ? {} : copy) };
    await kube.create(resource, { ...object, metadata: { ...object.metadata, annotations } }, byKubectl);
  }
}

async function rolledOut(): Promise<boolean> {
  const [nodes, controllers] = await Promise.all([
    kube.get(agents),
    kube.get({ ...agents, resource: resources.deployments, name: 'calico-kube-controllers' }),
  ]);
  const { desiredNumberScheduled: desired, numberAvailable } = (nodes?.status ?? {}) as Record<string, number>;
  const { availableReplicas, unavailableReplicas } = (controllers?.status ?? {}) as Record<string, number>;
  return desired === 3 && numberAvailable === 3 && availableReplicas === 1 && unavailableReplicas === undefined;
}

type Pod = { tolerations: object[]; containers: { env: object[] }[] };

async function podOfAgents(): Promise<Pod> {
  const live = await kube.get(agents);
  if (!live) throw new Error('no agents');
  return (live.spec as { template: { spec: Pod } }).template.spec;
}

/** What people did, one after the other, with their own tools. */
async function changeByHand(): Promise<void> {
  const toleration = { key: 'example.test/gpu', operator: 'Exists' };
  await kube.patch(config, { type: 'merge', body: { data: { veth_mtu: '1400', mine: 'a key of mine' } } }, byHand);
  const pod = await podOfAgents();
  const [container] = pod.containers;
  if (!container) throw new Error('no container');
  const env = container.env.map((one) =>
    isRecord(one) && one.name === 'CALICO_IPV4POOL_IPIP' ? { name: one.name, value: 'Never' } : one,
  );
  const changed = {
    ...container,
    env: [...env, { name: 'CALICO_IPV4POOL_CIDR', value: '10.244.0.0/16' }, { name: 'FELIX_MINE', value: 'x' }],
    resources: { requests: { cpu: '100m' } },
  };
  const spec = { containers: [changed], tolerations: [...pod.tolerations, toleration], nodeSelector: { pool: 'all' } };
  await kube.patch(agents, { type: 'merge', body: { spec: { template: { spec } } } }, byHand);
  for await (const page of kube.list(resources.nodes))
    for (const { metadata } of page.items)
      await kube.patch(
        { resource: resources.nodes, name: metadata.name ?? '' },
        { type: 'merge', body: { metadata: { labels: { pool: 'all' } } } },
      );
}

const field = (path: string) => `kube-system/DaemonSet/calico-node:spec.template.spec.${path}`;
const env = (name: string) => `containers[calico-node].env[${name}]`;
const toAgents = ({ path, method }: Write) => method === 'PATCH' && path.endsWith('/daemonsets/calico-node');

test('calico.yaml of 3.30.7 with changes by hand to 3.31.4 and back: what is kept stays, what is given up goes, every object comes back', async () => {
  await install('v3.30.7');
  await eventually('the agents to run', rolledOut);
  await changeByHand();
  await eventually('the agents to run', rolledOut);
  const before = await contentsOf(kube);
  const desk: Desk = { kubeconfig: wire.kubeconfig, stateHome: join(folder, 'state'), cwd: folder };
  mkdirSync(desk.stateHome);
  const files = { SIGNALBOX_CALICO_DIR: process.env.SIGNALBOX_CALICO_DIR };

  const accepted = ['platform.kubernetes-version', 'upgrade.field-conflicts', 'upgrade.registry-moved', 'not-measured'];
  const planned = await mustSignalbox(
    desk,
    [
      ...['plan', '--goal', 'upgrade', '--release', 'v3.31.4', '--out', 'plan.json', '--keep', 'all'],
      ...['--take', field(env('FELIX_MINE')), '--take', 'kube-system/ConfigMap/calico-config:data.mine'],
      ...['--write', `${field('containers[calico-node].resources.requests.cpu')}=150m`],
      ...accepted.flatMap((id) => ['--acknowledge', `${id}=tried in a test`]),
    ],
    files,
  );
  expect(planned.out).toContain('Ready to apply.');

  const apply = () => startSignalbox(desk, ['apply', 'plan.json', '--yes', '-o', 'json'], files);
  const first = apply();
  wire.cutAfter(toAgents, () => first.signal('SIGKILL'));
  await killed(first, 'fields.adopt');
  const second = apply();
  wire.cutAfter(toAgents, () => second.signal('SIGKILL'));
  await killed(second, 'manifest.apply');
  const last = apply();
  expect(await last.ended).toMatchObject({ code: 0, err: expect.stringContaining('is done') });
  expect(versions(last)).toEqual(['v3.31.4', 'v3.31.4', 'v3.31.4']);

  const spec = await podOfAgents();
  expect(spec).toMatchObject({
    nodeSelector: { pool: 'all' },
    tolerations: expect.arrayContaining([{ key: 'example.test/gpu', operator: 'Exists' }]),
    containers: [{ image: 'quay.io/calico/node:v3.31.4', resources: { requests: { cpu: '150m' } } }],
  });
  const variables = spec.containers[0]?.env ?? [];
  expect(variables).toEqual(
    expect.arrayContaining([
      { name: 'CALICO_IPV4POOL_IPIP', value: 'Never' },
      { name: 'CALICO_IPV4POOL_CIDR', value: '10.244.0.0/16' },
    ]),
  );
  expect(variables).not.toContainEqual(expect.objectContaining({ name: 'FELIX_MINE' }));
  expect((await kube.get(config))?.data).toMatchObject({ veth_mtu: '1400' });
  expect((await kube.get(config))?.data).not.toHaveProperty('mine');

  const back = startSignalbox(desk, ['undo', '--yes', '-o', 'json'], files);
  expect(await back.ended).toMatchObject({ code: 0, err: expect.stringContaining('was taken back') });
  expect(versions(back)).toEqual(['v3.30.7', 'v3.30.7', 'v3.30.7']);
  await eventually('the agents to run', rolledOut);
  await comesBackTo(before, () => contentsOf(kube));
  expect(unexpectedDials(plane.egressLog())).toEqual([]);
});

/** The process is gone by our signal, in the middle of this operation. */
async function killed(process: Running, operation: string): Promise<void> {
  const { code, err } = await process.ended;
  expect({ code, err }).toMatchObject({ code: null });
  expect(await openOperations(kube)).toEqual([operation]);
}

/** The release that each node was seen on last. */
function versions(run: Running): (string | undefined)[] {
  const last = new Map(run.events().flatMap((each) => (each.event === 'node' ? [[each.data.name, each.data]] : [])));
  return [...last.values()].map(({ version }) => version);
}
