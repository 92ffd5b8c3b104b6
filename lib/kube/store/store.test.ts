import { expect, test } from 'vitest';
import { resources } from '#lib/spec/index.ts';
import type { KubeObject } from '../object.ts';
import type { WatchEvent } from '../port.ts';
import { createStore } from './index.ts';

const aConfigMap = (name: string, data: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'kube-system' },
  data,
});
const store = () => createStore({ name: 'test', source: 'sandbox' });
const ref = (name: string) => ({ resource: resources.configMaps, namespace: 'kube-system', name });

test('what was created is read back, with what the server adds', async () => {
  const kube = store();
  await kube.create(resources.configMaps, aConfigMap('a', { key: 'value' }));
  expect(await kube.get(ref('a'))).toMatchObject({
    data: { key: 'value' },
    metadata: { uid: expect.any(String), resourceVersion: expect.any(String) },
  });
});

test('nobody changes an object that the store gave, whole or in part', async () => {
  const kube = store();
  const given = aConfigMap('a', { key: 'value' });
  const labels = { app: 'web' };
  const made = await kube.create(resources.configMaps, { ...given, metadata: { ...given.metadata, labels } });
  const watch = kube.watch(resources.configMaps)[Symbol.asyncIterator]();
  const synced = (await watch.next()).value;
  await watch.return?.();
  const { value: page } = await kube.list(resources.configMaps)[Symbol.asyncIterator]().next();
  const { value: named } = await kube.listMetadata(resources.configMaps)[Symbol.asyncIterator]().next();
  const read = [
    made,
    await kube.get(ref('a')),
    page?.items[0],
    named?.items[0],
    synced?.type === 'synced' ? synced.objects[0] : null,
    kube.snapshot().objects.find(({ kind }) => kind === 'ConfigMap'),
  ];
  for (const object of read) {
    if (!object) throw new Error('not given');
    expect(() => Object.assign(object, { data: {} })).toThrow(TypeError);
    expect(() => Object.assign(object.metadata.labels ?? {}, { app: 'changed' })).toThrow(TypeError);
  }
  labels.app = 'still the caller’s own';
  expect(await kube.get(ref('a'))).toMatchObject({ data: { key: 'value' }, metadata: { labels: { app: 'web' } } });
});

test('objects that a store was made with stay its maker’s', async () => {
  const made = {
    ...aConfigMap('a', { key: 'value' }),
    metadata: { name: 'a', namespace: 'n', labels: { app: 'web' } },
  };
  const kube = createStore({ name: 'test', source: 'sandbox', objects: [made] });
  kube.snapshot();
  made.metadata.labels.app = 'changed';
  expect(kube.snapshot().objects).toMatchObject([{ metadata: { labels: { app: 'web' } } }]);
});

test('a list of one namespace holds none of those whose names begin alike, in the order of all', async () => {
  const objects = ['team', 'team-a', 'team.b', 'team0', 'tea', 'teams'].flatMap((namespace) =>
    ['b', 'a'].map((name) => ({ ...aConfigMap(name), metadata: { name, namespace } })),
  );
  const kube = createStore({ name: 'test', source: 'sandbox', objects });
  const found: string[] = [];
  for await (const { items } of kube.list(resources.configMaps, { namespace: 'team' }))
    found.push(...items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`));
  expect(found).toEqual(['team/a', 'team/b']);
});

test('a patch for another version is a conflict', async () => {
  const kube = store();
  await kube.create(resources.configMaps, aConfigMap('a'));
  await expect(
    kube.patch(ref('a'), { type: 'merge', body: { data: { a: 'b' } }, resourceVersion: '1' }),
  ).rejects.toMatchObject({ code: 'conflict' });
});

test('a watch tells the whole set, then each change, and after a loss the whole set again', async () => {
  const kube = store();
  await kube.create(resources.configMaps, aConfigMap('a'));
  const stop = new AbortController();
  const seen: string[] = [];
  const watching = (async () => {
    for await (const event of kube.watch(resources.configMaps, { signal: stop.signal })) seen.push(brief(event));
  })();
  await turn();
  await kube.create(resources.configMaps, aConfigMap('b'));
  await kube.patch(ref('b'), { type: 'merge', body: { data: { x: 'y' } } });
  await kube.delete(ref('a'));
  await turn();
  kube.closeWatches();
  kube.expireHistory();
  await turn();
  stop.abort();
  await watching;
  expect(seen).toEqual(['synced a', 'added b', 'modified b', 'deleted a', 'synced b']);
});

test('a list comes in pages that show one moment', async () => {
  const kube = store();
  for (const name of ['a', 'b', 'c', 'd', 'e']) await kube.create(resources.configMaps, aConfigMap(name));
  const pages: (string | undefined)[][] = [];
  for await (const page of kube.list(resources.configMaps, { pageSize: 2 })) {
    pages.push(page.items.map((item) => item.metadata.name));
    await kube.delete(ref('e')).catch(() => undefined);
  }
  expect(pages).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
});

test('a list whose continue token expired starts over without repeating objects', async () => {
  const kube = store();
  for (const name of ['a', 'b', 'c']) await kube.create(resources.configMaps, aConfigMap(name));
  const got: (string | undefined)[] = [];
  for await (const page of kube.list(resources.configMaps, { pageSize: 2 })) {
    got.push(...page.items.map((item) => item.metadata.name));
    if (got.length === 2) kube.expireHistory();
  }
  expect(got).toEqual(['a', 'b', 'c']);
});

test('a user without the rule is refused, and the rule is named', async () => {
  const kube = store().as({ name: 'eve', rules: [{ verbs: ['get'], groups: [''], resources: ['configmaps'] }] });
  await expect(kube.create(resources.configMaps, aConfigMap('a'))).rejects.toMatchObject({
    code: 'forbidden',
    detail: { rule: { verb: 'create', resource: 'configmaps', namespace: 'kube-system' } },
  });
});

test('conflicts are told in the words of the server', async () => {
  const kube = store();
  const applied = (data: Record<string, string>, fieldManager: string) =>
    kube.apply(resources.configMaps, aConfigMap('a', data), { fieldManager });
  await applied({ a: '1', b: '1' }, 'red');
  await kube.patch(ref('a'), { type: 'merge', body: { data: { c: '1' } } }, { fieldManager: 'green' });
  await expect(applied({ a: '2' }, 'blue')).rejects.toThrow(
    'Apply failed with 1 conflict: conflict with "red": .data.a',
  );
  await expect(applied({ a: '2', b: '2', c: '2' }, 'blue')).rejects.toThrow(
    'Apply failed with 3 conflicts: conflicts with "green" using v1:\n- .data.c\nconflicts with "red":\n- .data.a\n- .data.b',
  );
});

function brief(event: WatchEvent): string {
  if (event.type === 'synced') return `synced ${event.objects.map((object) => object.metadata.name).join(' ')}`;
  return 'object' in event ? `${event.type} ${event.object.metadata.name}` : event.type;
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));
