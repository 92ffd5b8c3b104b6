import { expect, test } from 'vitest';
import { resources } from '#lib/spec/index.ts';
import { instantClock } from '../../clock.ts';
import type { KubeObject, OwnerReference } from '../../object.ts';
import { createStore, type Store } from '../index.ts';

const store = () => createStore({ name: 'test', source: 'sandbox', clock: instantClock() });
const ref = (name: string, namespace = 'default') => ({ resource: resources.configMaps, namespace, name });

async function create(
  kube: Store,
  name: string,
  owners: KubeObject[] = [],
  more: Partial<KubeObject['metadata']> = {},
): Promise<KubeObject> {
  const ownerReferences = owners.map(
    ({ apiVersion, kind, metadata }): OwnerReference => ({
      apiVersion,
      kind,
      name: metadata.name ?? '',
      uid: metadata.uid ?? '',
      blockOwnerDeletion: true,
    }),
  );
  const metadata = { name, namespace: 'default', ...(owners.length > 0 ? { ownerReferences } : {}), ...more };
  return kube.create(resources.configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
}

async function names(kube: Store): Promise<string[]> {
  await kube.settled();
  const found: string[] = [];
  for await (const { items } of kube.list(resources.configMaps))
    found.push(...items.map(({ metadata }) => metadata.name ?? ''));
  return found;
}

test('what belonged to a deleted object goes with it, and so does what belonged to that', async () => {
  const kube = store();
  const owner = await create(kube, 'owner');
  const child = await create(kube, 'child', [owner]);
  await create(kube, 'grandchild', [child]);
  await create(kube, 'other');
  await kube.delete(ref('owner'));
  expect(await names(kube)).toEqual(['other']);
});

test('an object with another owner stays, and forgets the one that is gone', async () => {
  const kube = store();
  const [a, b] = [await create(kube, 'a'), await create(kube, 'b')];
  await create(kube, 'child', [a, b]);
  await kube.delete(ref('a'));
  await kube.settled();
  expect((await kube.get(ref('child')))?.metadata.ownerReferences?.map(({ name }) => name)).toEqual(['b']);
});

test('in the foreground the owner waits for what belongs to it', async () => {
  const kube = store();
  const owner = await create(kube, 'owner');
  await create(kube, 'child', [owner], { finalizers: ['signalbox.dev/hold'] });
  await kube.delete(ref('owner'), { propagation: 'Foreground' });
  await kube.settled();
  expect((await kube.get(ref('owner')))?.metadata.deletionTimestamp).toBeDefined();
  await kube.patch(ref('child'), { type: 'json', operations: [{ op: 'remove', path: '/metadata/finalizers/0' }] });
  await kube.settled();
  expect(await names(kube)).toEqual([]);
});

test('orphans stay without their owner', async () => {
  const kube = store();
  const owner = await create(kube, 'owner');
  await create(kube, 'child', [owner]);
  await kube.delete(ref('owner'), { propagation: 'Orphan' });
  expect(await names(kube)).toEqual(['child']);
  expect((await kube.get(ref('child')))?.metadata.ownerReferences).toBeUndefined();
});

test('an object that is created for an owner that is not there is collected; a loaded one is left alone', async () => {
  const kube = store();
  const absent: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'absent', uid: 'gone' } };
  await create(kube, 'created', [absent]);
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'absent', uid: 'gone-too' }];
  kube.load([
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'loaded', namespace: 'default', ownerReferences } },
  ]);
  expect(await names(kube)).toEqual(['loaded']);
});

test('a namespace takes what is in it along, and nothing new comes in meanwhile', async () => {
  const kube = store();
  await kube.create(resources.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'doomed' } });
  const inside = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'inside', namespace: 'doomed' } };
  await kube.create(resources.configMaps, inside);
  await kube.delete({ resource: resources.namespaces, name: 'doomed' });
  const late = { ...inside, metadata: { ...inside.metadata, name: 'late' } };
  await expect(kube.create(resources.configMaps, late)).rejects.toMatchObject({ code: 'forbidden' });
  expect(await names(kube)).toEqual([]);
  expect(await kube.get({ resource: resources.namespaces, name: 'doomed' })).toBeNull();
});
