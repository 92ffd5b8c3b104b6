import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Plane, startControlPlane, unexpectedDials } from '#e2e/controlplane/index.ts';
import { connect, type KubeObject, type LiveKube, type OwnerReference } from '#lib/kube/index.ts';
import { handChanges, isAbout } from '#lib/plan/testing/changes-by-hand.ts';
import { type ManifestObject, type ObjectRef, objectId, resourceOf, resources, v3Uid } from '#lib/spec/index.ts';
import { type CalicoApi, startCalicoApi } from '../testing/calico-api.ts';
import { comesBackTo } from '../testing/comes-back.ts';
import { contentsOf } from '../testing/contents.ts';
import { eventually } from '../testing/eventually.ts';
import { holdNode, letNodeGo } from '../testing/hold-node.ts';
import {
  agents,
  byHand,
  installManifest,
  podOfAgents,
  removeManifest,
  rolledOut,
} from '../testing/manifest-install.ts';
import { nodeVersions } from '../testing/node-versions.ts';
import { mustSignalbox, startSignalbox, type Workplace } from '../testing/signalbox-process.ts';

/** Installations by manifest that are years behind, in one upgrade, on a real API server. */
let plane: Plane;
let kube: LiveKube;
let folder: string;
let calico: CalicoApi | undefined;
const nodes = 2;

beforeAll(async () => {
  plane = await startControlPlane({ kind: 'empty', nodes, like: 'v3.30.7' });
  kube = await connect({ kubeconfig: plane.kubeconfig });
  folder = mkdtempSync(join(tmpdir(), 'signalbox-manifest-'));
});

afterAll(async () => {
  calico?.stop();
  await kube?.close();
  await plane?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const files = { SIGNALBOX_CALICO_DIR: process.env.SIGNALBOX_CALICO_DIR };
const accepted = ['platform.kubernetes-version', 'upgrade.field-conflicts', 'upgrade.registry-moved', 'not-measured'];

function workplaceOf(name: string): Workplace {
  const workplace: Workplace = { kubeconfig: plane.kubeconfig, stateHome: join(folder, name), cwd: folder };
  mkdirSync(workplace.stateHome);
  return workplace;
}

async function plan(workplace: Workplace, release: string, ...more: string[]): Promise<void> {
  const planned = await mustSignalbox(
    workplace,
    [
      ...['plan', '--goal', 'upgrade', '--release', release, '--out', 'plan.json', ...more],
      ...accepted.flatMap((id) => ['--acknowledge', `${id}=tried in a test`]),
    ],
    files,
  );
  expect(planned.out).toContain('Ready to apply.');
}

const apply = (workplace: Workplace) => startSignalbox(workplace, ['apply', 'plan.json', '--yes', '-o', 'json'], files);
const undo = (workplace: Workplace) => startSignalbox(workplace, ['undo', '--yes', '-o', 'json'], files);

/** Changes objects by hand. Every second change is kept, the others are replaced by the new file. */
async function changeEverything(): Promise<{ id: string; isKept: boolean; live: () => Promise<unknown> }[]> {
  const kinds = [resources.configMaps, resources.daemonSets, resources.deployments, resources.clusterRoles];
  const found: KubeObject[] = [];
  for (const resource of kinds)
    for await (const page of kube.list(resource, resource.namespaced ? { namespace: 'kube-system' } : {}))
      found.push(...page.items.map((one) => ({ ...one, apiVersion: apiVersion(resource), kind: resource.kind })));
  const about = handChanges.map((one) => {
    const object = found.find((each) => isAbout(one, each as ManifestObject));
    if (!object) throw new Error(`nothing to change: ${one.what}`);
    return { one, object, ref: refOf(object) };
  });
  for (const { one, ref } of about) {
    const { status: _, ...object } = (await kube.get(ref)) as KubeObject & { status?: unknown };
    one.change(object as ManifestObject);
    const { spec, data, rules } = object as Record<string, unknown>;
    const body = Object.fromEntries(Object.entries({ spec, data, rules }).filter(([, value]) => value !== undefined));
    await kube.patch(ref, { type: 'merge', body }, byHand);
  }
  return about.map(({ one, ref }, index) => ({
    id: `${objectId(ref)}:${one.field}`,
    isKept: index % 2 === 0,
    live: async () => one.seen((await kube.get(ref)) as ManifestObject),
  }));
}

const apiVersion = ({ group, version }: { group: string; version: string }) =>
  group === '' ? version : `${group}/${version}`;

function refOf({ apiVersion: version, kind, metadata: { name = '', namespace } }: KubeObject): ObjectRef {
  const resource = resourceOf(version, kind);
  if (!resource) throw new Error(`no resource is called ${version} ${kind}`);
  return { resource, name, ...(namespace === undefined ? {} : { namespace }) };
}

async function labelNodes(): Promise<void> {
  for await (const page of kube.list(resources.nodes))
    for (const { metadata } of page.items)
      await kube.patch(
        { resource: resources.nodes, name: metadata.name ?? '' },
        { type: 'merge', body: { metadata: { labels: { pool: 'all' } } } },
      );
}

test('calico.yaml of 3.24.6 to 3.31.7 in one: of every kind of change by hand one is kept and the next given up, and every object comes back', async () => {
  await labelNodes();
  // The published file names the images of the previous patch release.
  await installManifest(kube, 'v3.24.6', 'calico.yaml', (text) => text.replaceAll('v3.24.5', 'v3.24.6'));
  await eventually('the agents to run', () => rolledOut(kube, nodes));
  const changes = await changeEverything();
  await eventually('the agents to run', () => rolledOut(kube, nodes));
  const mine = await Promise.all(changes.map(({ live }) => live()));
  const before = await contentsBut(staged, ofAdministrators, filters);
  const workplace = workplaceOf('in-one');

  await plan(workplace, 'v3.31.7', ...changes.flatMap(({ id, isKept }) => [isKept ? '--keep' : '--take', id]));
  const run = apply(workplace);
  expect(await run.ended).toMatchObject({ code: 0, err: expect.stringContaining('is done') });
  expect(nodeVersions(run)).toEqual(['v3.31.7', 'v3.31.7']);
  const outcome = await Promise.all(
    changes.map(async ({ id, live }, index) => ({ id, isMine: isEqual(await live(), mine[index]) })),
  );
  expect(outcome).toEqual(changes.map(({ id, isKept }) => ({ id, isMine: isKept })));

  const back = undo(workplace);
  expect(await back.ended).toMatchObject({ code: 0, err: expect.stringContaining('was undone') });
  expect(nodeVersions(back)).toEqual(['v3.24.6', 'v3.24.6']);
  await eventually('the agents to run', () => rolledOut(kube, nodes));
  await comesBackTo(before, () => contentsBut(staged, ofAdministrators, filters));
  expect(unexpectedDials(plane.egressLog())).toEqual([]);
});

/** Every object but the kinds that the old file does not have: a way back leaves them, as objects of them would go with them. */
async function contentsBut(...kinds: readonly RegExp[]): Promise<KubeObject[]> {
  const contents = await contentsOf(kube);
  return contents.filter(({ metadata: { name = '' } }) => !kinds.some((one) => one.test(name)));
}
const staged = /^staged.*policies\.crd\.projectcalico\.org$|^tiers\.crd\.projectcalico\.org$/;
const ofAdministrators = /adminnetworkpolicies\.policy\.networking\.k8s\.io$|^v1alpha1\.policy\.networking\.k8s\.io$/;
const filters = /^bgpfilters\.crd\.projectcalico\.org$/;

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

const settings: ObjectRef = { resource: resources.configMaps, namespace: 'default', name: 'cart-settings' };
const ownedBy = (uid: string): OwnerReference => ({
  apiVersion: 'projectcalico.org/v3',
  kind: 'NetworkPolicy',
  name: 'default.cart',
  uid,
  controller: true,
  blockOwnerDeletion: true,
});
const owners = async () => (await kube.get(settings))?.metadata.ownerReferences ?? [];

test('calico.yaml of 3.27.5 to 3.31.4: what Calico owns outlives its new UIDs, a tool that writes the old release back and an image that one node cannot pull are named', async () => {
  await removeManifest(kube);
  await installManifest(kube, 'v3.27.5', 'calico.yaml');
  await eventually('the agents to run', () => rolledOut(kube, nodes));
  calico = await startCalicoApi(plane, kube);
  const stored = resources.calicoNetworkPolicies;
  const policy = await kube.create(stored, {
    apiVersion: apiVersion(stored),
    kind: stored.kind,
    metadata: { name: 'default.cart', namespace: 'default' },
    spec: { selector: 'all()', types: ['Ingress'] },
  });
  const uid = policy.metadata.uid ?? '';
  await kube.create(resources.configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: settings.name, namespace: 'default', ownerReferences: [ownedBy(uid)] },
  });
  const before = await contentsBut(staged);
  const image = (await podOfAgents(kube)).containers[0]?.image ?? '';
  const workplace = workplaceOf('owners');
  await plan(workplace, 'v3.31.4');

  // The node's image never comes.
  await holdNode(plane, 'worker-1');
  const stuck = apply(workplace);
  const pod = await podOn('worker-1', 'v3.31.4');
  expect(await owners()).toEqual([]);
  await cannotPull(pod);
  await stuck.event('worker-1 is named with what it cannot pull', ({ event, data }) => {
    if (event !== 'operation' || data.id !== 'release.active' || data.state !== 'waiting') return false;
    return data.heldUpBy.some(({ name, detail }) => name === 'worker-1' && /pull/i.test(detail));
  });

  // A tool whose source still has the old release.
  const spec = { template: { spec: { containers: [{ name: 'calico-node', image }] } } };
  await kube.apply(
    agents.resource,
    { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: agents.name, namespace: 'kube-system' }, spec },
    { force: true, fieldManager: 'argocd-controller' },
  );
  expect(await stuck.ended).toMatchObject({ code: 4, err: expect.stringMatching(/DaemonSet calico-node: Argo CD/) });
  await letNodeGo(plane, 'worker-1');

  const back = undo(workplace);
  expect(await back.ended).toMatchObject({ code: 0, err: expect.stringContaining('was undone') });
  expect(nodeVersions(back)).toEqual(['v3.27.5', 'v3.27.5']);
  expect(await owners()).toEqual([ownedBy(uid)]);
  await eventually('the agents to run', () => rolledOut(kube, nodes));
  await comesBackTo(before, () => contentsBut(staged));

  // The tool is paused, the image is there.
  const again = workplaceOf('owners-again');
  await plan(again, 'v3.31.4', '--acknowledge', 'managed-by.reconciler=it is paused');
  const run = apply(again);
  await run.event('the new UIDs to be awaited', ({ event, data }) => {
    return event === 'operation' && data.id === 'owner-refs.restore' && data.state === 'waiting';
  });
  calico.serve('derived');
  expect(await run.ended).toMatchObject({ code: 0, err: expect.stringContaining('is done') });
  expect(nodeVersions(run)).toEqual(['v3.31.4', 'v3.31.4']);
  expect(await owners()).toEqual([ownedBy(v3Uid(uid) ?? '')]);
  expect(unexpectedDials(plane.egressLog())).toEqual([]);
});

/** The agent's new pod on a node, once it is there. */
async function podOn(node: string, version: string): Promise<ObjectRef> {
  let found: KubeObject | undefined;
  await eventually(`a pod of ${version} on ${node}`, async () => {
    const options = { namespace: 'kube-system', labelSelector: 'k8s-app=calico-node' };
    for await (const page of kube.list(resources.pods, options))
      found ??= page.items.find(({ spec }) => {
        const { nodeName, containers } = spec as { nodeName?: string; containers: { image: string }[] };
        return nodeName === node && containers[0]?.image.endsWith(version);
      });
    return found !== undefined;
  });
  return { resource: resources.pods, namespace: 'kube-system', name: found?.metadata.name ?? '' };
}

/** Writes the status that a kubelet reports for an image that it cannot pull. */
async function cannotPull({ namespace, name }: ObjectRef): Promise<void> {
  const waiting = { reason: 'ImagePullBackOff', message: 'Back-off pulling image "quay.io/calico/node:v3.31.4"' };
  const container = { name: 'calico-node', image: 'quay.io/calico/node:v3.31.4', imageID: '', ready: false };
  await plane.api.patch(`/api/v1/namespaces/${namespace}/pods/${name}/status`, {
    status: { containerStatuses: [{ ...container, restartCount: 0, state: { waiting } }] },
  });
}
