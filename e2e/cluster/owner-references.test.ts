import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Plane, startControlPlane, unexpectedDials } from '#e2e/controlplane/index.ts';
import { aProcess, planOwnerSteps } from '#e2e/journey/index.ts';
import { connect, type LiveKube, type OwnerReference, systemClock } from '#lib/kube/index.ts';
import type { OwnerUids } from '#lib/plan/index.ts';
import { continueRun, listRuns, type RunEvent, startRun } from '#lib/run/index.ts';
import { definitionOf } from '#lib/sandbox/index.ts';
import { journalNamespaces, type ObjectRef, resources, v3Uid } from '#lib/spec/index.ts';
import { type CalicoApi, startCalicoApi } from './testing/calico-api.ts';
import { eventually } from './testing/eventually.ts';

/**
 * Kubernetes' own garbage collector, and an API server of ours behind `projectcalico.org/v3` that shows one UID and then the other: where nobody serves
 * that group the collector leaves owners alone, and nothing could be lost.
 */
let plane: Plane;
let kube: LiveKube;
let calico: CalicoApi;

beforeAll(async () => {
  plane = await startControlPlane({ kind: 'bare', nodes: 0 });
  kube = await connect({ kubeconfig: plane.kubeconfig });
  await kube.create(resources.customResourceDefinitions, definitionOf(stored));
  await eventually('network policies to be stored', () =>
    plane.api.list(`/apis/${stored.group}/v1/${stored.plural}`).then(
      () => true,
      () => false,
    ),
  );
  await plane.api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  calico = await startCalicoApi(plane, kube);
});

afterAll(async () => {
  calico?.stop();
  await kube?.close();
  await plane?.stop();
});

const stored = resources.calicoNetworkPolicies;
const settings: ObjectRef = { resource: resources.configMaps, namespace: 'shop', name: 'settings' };
const ownedBy = (uid: string, more: object = {}): OwnerReference => ({
  apiVersion: 'projectcalico.org/v3',
  kind: 'NetworkPolicy',
  name: 'default.cart',
  uid,
  ...more,
});
const full = { controller: true, blockOwnerDeletion: true };
/** Calico's API makes it of the namespace, and nothing of it is stored. */
const ofNamespace = (uid: string): OwnerReference => ({
  apiVersion: 'projectcalico.org/v3',
  kind: 'Profile',
  name: 'kns.shop',
  uid,
});

test('nothing is lost on the way there and back, killed in between; without the first step it is', async () => {
  const policy = await kube.create(stored, {
    apiVersion: `${stored.group}/v1`,
    kind: stored.kind,
    metadata: { name: 'default.cart', namespace: 'shop' },
  });
  const uid = policy.metadata.uid ?? '';
  const laterUid = v3Uid(uid) ?? '';
  const namespaceUid = (await kube.get({ resource: resources.namespaces, name: 'shop' }))?.metadata.uid ?? '';
  const before = [ownedBy(uid, full), ofNamespace(namespaceUid)];
  const later = [ownedBy(laterUid, full), ofNamespace(v3Uid(namespaceUid) ?? '')];
  await own('settings', ...before);
  await collected();
  const { whole, alone } = await planOwnerSteps(kube);
  expect(whole.operations.map(({ id }) => id)).toContain('owner-refs.remove');
  expect(await ownersOfSettings()).toEqual(before);

  // The first process ends when the references are away; nothing of it happens afterwards.
  const first = processOf('derived', (event) => event.event === 'operation' && event.data.id === 'owner-refs.restore');
  await Promise.race([first.death, startRun(first.context, alone)]);
  expect(await ownersOfSettings()).toEqual([]);
  calico.serve('derived');
  await collected();
  expect(await ownersOfSettings()).toEqual([]);
  const run = (await listRuns(kube, journalNamespaces))[0]?.run ?? '';

  const next = await continueRun(processOf('derived').context, run, { how: 'resume' });
  expect(next).toMatchObject({ outcome: { kind: 'done' } });
  expect(await ownersOfSettings()).toEqual(later);
  await collected();
  expect(await ownersOfSettings()).toEqual(later);

  // On the way back too: when this process ends the references are away, and then the release goes back.
  const third = processOf(
    'derived',
    ({ event, data }) => event === 'operation' && data.id === 'owner-refs.remove' && data.direction === 'undo',
  );
  await Promise.race([third.death, continueRun(third.context, run, { how: 'undo' })]);
  expect(await ownersOfSettings()).toEqual([]);
  calico.serve('stored');
  await collected();
  expect(await ownersOfSettings()).toEqual([]);

  const back = await continueRun(processOf('stored').context, run, { how: 'undo' });
  expect(back).toMatchObject({ outcome: { kind: 'undone' } });
  expect(await ownersOfSettings()).toEqual(before);
  await collected();
  expect(await ownersOfSettings()).toEqual(before);

  calico.serve('derived');
  await collected();
  await eventually(
    'what Calico owned to be lost without the first step',
    async () => (await kube.get(settings)) === null,
  );
  expect(unexpectedDials(plane.egressLog())).toEqual([]);
});

async function own(name: string, ...ownerReferences: OwnerReference[]): Promise<void> {
  const metadata = { name, namespace: 'shop', ownerReferences };
  await kube.create(
    resources.configMaps,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata },
    { fieldManager: 'cart-controller' },
  );
}

async function ownersOfSettings(): Promise<readonly OwnerReference[] | null> {
  const found = await kube.get(settings);
  return found && (found.metadata.ownerReferences ?? []);
}

/** The controllers begin anew, so that the collector asks again for every owner that it knows; it has once it has taken an object whose owner never was. */
async function collected(): Promise<void> {
  await plane.stopApiServer();
  await plane.startApiServer();
  const name = `lost-${randomUUID()}`;
  await eventually('the API server to be back', () =>
    own(name, ownedBy(randomUUID())).then(
      () => true,
      () => false,
    ),
  );
  const lost = { ...settings, name };
  await eventually('the garbage collector to look', async () => (await kube.get(lost)) === null, { everyMs: 250 });
}

const memories = new Map();

/** A process of one installation. The API shows `uids` as soon as a step waits for them. It dies at the first event that fits. */
function processOf(uids: OwnerUids, dies: (event: RunEvent) => boolean = () => false) {
  const { promise: death, resolve } = Promise.withResolvers<void>();
  let isDead = false;
  const alive = new Proxy(kube, {
    get: (target, key) => (isDead ? () => new Promise(() => undefined) : Reflect.get(target, key)),
  });
  const made = aProcess({ kube: alive, clock: systemClock, memories, to: 'die' });
  const onEvent = (event: RunEvent) => {
    made.onEvent(event);
    if (dies(event)) {
      isDead = true;
      resolve();
    } else if (event.event === 'operation' && event.data.state === 'waiting') calico.serve(uids);
  };
  return { death, context: { ...made, onEvent } };
}
