import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isKubeError, type Kube, type KubeObject, type WatchEvent } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { type BothSides, contractNamespace, startBothSides } from './both-sides.ts';
import { things } from './thing-definition.ts';

/** The contract of the port, tested with both of its implementations, and with one reached through the other. */
let sides: BothSides;
let counter = 0;
beforeAll(async () => {
  sides = await startBothSides();
});
afterAll(() => sides?.stop());

const newName = () => `behaviour-${++counter}`;
const aConfigMap = (
  name: string,
  more: Partial<KubeObject> & { labels?: Record<string, string>; finalizers?: string[] } = {},
): KubeObject => {
  const { labels, finalizers, ...rest } = more;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace: contractNamespace,
      ...(labels ? { labels } : {}),
      ...(finalizers ? { finalizers } : {}),
    },
    ...rest,
  };
};
const aThing = (name: string, spec: Record<string, unknown>): KubeObject => ({
  apiVersion: 'contract.signalbox.dev/v1',
  kind: 'Thing',
  metadata: { name, namespace: contractNamespace },
  spec,
});
const configMap = (name: string) => ({ resource: resources.configMaps, namespace: contractNamespace, name });
const thing = (name: string) => ({ resource: things, namespace: contractNamespace, name });

describe.each(['store', 'served', 'live'] as const)('%s', (side) => {
  const kube = (): Kube => sides[side];

  test('an object that is not there, and a kind that is not served, are null', async () => {
    expect(await kube().get(configMap('nowhere'))).toBeNull();
    expect(await kube().get({ resource: resources.openshiftNetworkConfigs, name: 'x' })).toBeNull();
  });

  test('a list of a kind that is not served says so', async () => {
    await expect(collect(kube(), resources.openshiftNetworkConfigs)).rejects.toMatchObject({ code: 'not-served' });
  });

  test('what exists cannot be created, what is gone cannot be patched or deleted', async () => {
    const name = newName();
    await kube().create(resources.configMaps, aConfigMap(name));
    await expect(kube().create(resources.configMaps, aConfigMap(name))).rejects.toMatchObject({
      code: 'already-exists',
    });
    await kube().delete(configMap(name));
    await expect(kube().patch(configMap(name), { type: 'merge', body: {} })).rejects.toMatchObject({
      code: 'not-found',
    });
    await expect(kube().delete(configMap(name))).rejects.toMatchObject({ code: 'not-found' });
  });

  test('nothing can be created in a namespace that is not there', async () => {
    const object = { ...aConfigMap(newName()), metadata: { name: newName(), namespace: 'nowhere' } };
    await expect(kube().create(resources.configMaps, object)).rejects.toMatchObject({ code: 'not-found' });
    await expect(kube().apply(resources.configMaps, object)).rejects.toMatchObject({ code: 'not-found' });
  });

  test('nothing can be created in a namespace that is being deleted, and the refusal says so', async () => {
    const namespace = newName();
    const held = {
      ...aConfigMap(newName()),
      metadata: { name: newName(), namespace, finalizers: ['example.org/held'] },
    };
    const ref = { resource: resources.configMaps, namespace, name: held.metadata.name };
    await kube().create(resources.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    await kube().create(resources.configMaps, held);
    await kube().delete({ resource: resources.namespaces, name: namespace });
    const late = { ...held, metadata: { name: newName(), namespace } };
    await expect(kube().create(resources.configMaps, late)).rejects.toMatchObject({
      code: 'forbidden',
      detail: { isNamespaceGoing: true },
    });
    await kube().patch(ref, { type: 'merge', body: { metadata: { finalizers: null } } });
  });

  test('pages hold everything once, in order, and say how much is left', async () => {
    const names = [newName(), newName(), newName(), newName(), newName()];
    const label = newName();
    for (const name of names) await kube().create(resources.configMaps, aConfigMap(name, { labels: { test: label } }));
    const pages = [];
    for await (const page of kube().list(resources.configMaps, { namespace: contractNamespace, pageSize: 2 }))
      pages.push(page);
    const all = pages.flatMap(({ items }) => items.map(({ metadata }) => metadata.name ?? ''));
    expect(all).toEqual([...new Set(all)].sort());
    expect(all).toEqual(expect.arrayContaining(names));
    expect(pages.at(-1)?.remaining).toBeNull();
    expect(pages.every(({ items }) => items.length <= 2)).toBe(true);
    expect(new Set(pages.map(({ resourceVersion }) => resourceVersion)).size).toBe(1);
  });

  test('items of a list name their kind; of a metadata list too, and hold nothing else', async () => {
    const name = newName();
    await kube().create(resources.configMaps, aConfigMap(name, { data: { a: 'b' }, labels: { test: name } }));
    const [item] = await collect(kube(), resources.configMaps, { labelSelector: `test=${name}` });
    expect(item).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } });
    for await (const { items } of kube().listMetadata(resources.configMaps, { labelSelector: `test=${name}` })) {
      expect(items.map((entry) => ('data' in entry ? 'with data' : entry.metadata.name))).toEqual([name]);
    }
  });

  test.each([
    ['app=web', ['web']],
    ['app==web,tier', ['web']],
    ['app!=web', ['db', 'none']],
    ['app in (web, db)', ['db', 'web']],
    ['app notin (web)', ['db', 'none']],
    ['app', ['db', 'web']],
    ['!app', ['none']],
    ['tier=front,app in (web,db)', ['web']],
  ])('label selector %s', async (labelSelector, expected) => {
    const namespace = await namespaceWith(kube(), [
      { name: 'web', labels: { app: 'web', tier: 'front' } },
      { name: 'db', labels: { app: 'db' } },
      { name: 'none', labels: {} },
    ]);
    const found = await collect(kube(), resources.configMaps, { namespace, labelSelector });
    expect(found.map(({ metadata }) => metadata.name)).toEqual(expected);
  });

  test.each([
    ['metadata.name=web', ['web']],
    ['metadata.name!=web', ['db', 'none']],
  ])('field selector %s', async (fieldSelector, expected) => {
    const namespace = await namespaceWith(kube(), [{ name: 'web' }, { name: 'db' }, { name: 'none' }]);
    const found = await collect(kube(), resources.configMaps, { namespace, fieldSelector });
    expect(found.map(({ metadata }) => metadata.name)).toEqual(expected);
  });

  test('selectors that cannot be read, and fields that are not indexed, are invalid', async () => {
    await expect(collect(kube(), resources.configMaps, { labelSelector: 'a==b==c' })).rejects.toMatchObject({
      code: 'invalid',
    });
    await expect(collect(kube(), resources.configMaps, { fieldSelector: 'data.a=b' })).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  test('a watch starts with the whole set and tells each change in order; a selector makes objects come and go', async () => {
    const label = newName();
    const [stays, leaves] = [newName(), newName()];
    await kube().create(resources.configMaps, aConfigMap(stays, { labels: { test: label } }));
    const events = await watched(kube(), { labelSelector: `test=${label}` }, 5, async () => {
      await kube().create(resources.configMaps, aConfigMap(leaves, { labels: { test: label } }));
      await kube().patch(configMap(stays), { type: 'merge', body: { data: { a: 'b' } } });
      await kube().patch(configMap(leaves), { type: 'merge', body: { metadata: { labels: null } } });
      await kube().delete(configMap(stays));
    });
    expect(events).toEqual([
      `synced ${stays}`,
      `added ${leaves}`,
      `modified ${stays}`,
      `deleted ${leaves}`,
      `deleted ${stays}`,
    ]);
  });

  test('a conflict names each manager and field', async () => {
    const name = newName();
    await kube().apply(resources.configMaps, aConfigMap(name, { data: { a: '1', b: '1' } }), { fieldManager: 'red' });
    const other = aConfigMap(name, { data: { a: '2', b: '2' } });
    const error = await kube()
      .apply(resources.configMaps, other, { fieldManager: 'green' })
      .catch((thrown: unknown) => thrown);
    expect(isKubeError(error, 'conflict') && error.detail.conflicts).toEqual([
      { manager: 'red', field: '.data.a' },
      { manager: 'red', field: '.data.b' },
    ]);
    await kube().apply(resources.configMaps, other, { fieldManager: 'green', force: true });
  });

  test('what is no longer applied is removed, unless someone else owns it too', async () => {
    const name = newName();
    await kube().apply(resources.configMaps, aConfigMap(name, { data: { a: '1', b: '1' } }), { fieldManager: 'red' });
    await kube().apply(resources.configMaps, aConfigMap(name, { data: { b: '1' } }), { fieldManager: 'green' });
    const result = await kube().apply(resources.configMaps, aConfigMap(name, { data: {} }), { fieldManager: 'red' });
    expect(result.data).toEqual({ b: '1' });
  });

  test('an apply that changes nothing leaves the version alone', async () => {
    const name = newName();
    const first = await kube().apply(resources.configMaps, aConfigMap(name, { data: { a: '1' } }));
    const second = await kube().apply(resources.configMaps, aConfigMap(name, { data: { a: '1' } }));
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
  });

  test('dry runs answer with the result and store nothing', async () => {
    const name = newName();
    const created = await kube().apply(resources.configMaps, aConfigMap(name, { data: { a: '1' } }), { dryRun: 'all' });
    expect(created.data).toEqual({ a: '1' });
    expect(await kube().get(configMap(name))).toBeNull();
    await kube().create(resources.configMaps, aConfigMap(name, { data: { a: '1' } }));
    const patched = await kube().patch(
      configMap(name),
      { type: 'merge', body: { data: { a: '2' } } },
      { dryRun: 'all' },
    );
    expect(patched.data).toEqual({ a: '2' });
    await kube().delete(configMap(name), { dryRun: 'all' });
    expect(await kube().get(configMap(name))).toMatchObject({ data: { a: '1' } });
  });

  test('preconditions: another version or UID is a conflict', async () => {
    const name = newName();
    const first = await kube().create(resources.configMaps, aConfigMap(name));
    const second = await kube().patch(configMap(name), { type: 'merge', body: { data: { a: '1' } } });
    const { resourceVersion = '' } = first.metadata;
    const attempts = [
      () => kube().patch(configMap(name), { type: 'merge', body: { data: { a: '2' } }, resourceVersion }),
      () => kube().replace(resources.configMaps, { ...first, data: { a: '3' } }),
      () => kube().delete(configMap(name), { uid: '00000000-0000-0000-0000-000000000000' }),
      () => kube().delete(configMap(name), { resourceVersion }),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'conflict' });
    await kube().delete(configMap(name), {
      uid: second.metadata.uid ?? '',
      resourceVersion: second.metadata.resourceVersion ?? '',
    });
  });

  test('a custom resource is replaced only with its version', async () => {
    const name = newName();
    await kube().create(things, aThing(name, { text: 'a' }));
    await expect(kube().replace(things, aThing(name, { text: 'b' }))).rejects.toMatchObject({ code: 'invalid' });
  });

  test('finalizers hold an object, and no new ones come while it waits', async () => {
    const name = newName();
    await kube().create(resources.configMaps, aConfigMap(name, { finalizers: ['signalbox.dev/a'] }));
    await kube().delete(configMap(name));
    const waiting = await kube().get(configMap(name));
    expect(waiting?.metadata.deletionTimestamp).toBeDefined();
    const more = { type: 'merge', body: { metadata: { finalizers: ['signalbox.dev/a', 'signalbox.dev/b'] } } } as const;
    await expect(kube().patch(configMap(name), more)).rejects.toMatchObject({ code: 'invalid' });
    await kube().patch(configMap(name), { type: 'merge', body: { metadata: { finalizers: null } } });
    expect(await kube().get(configMap(name))).toBeNull();
  });

  test('the generation counts changes of the spec, and the deletion, but not of metadata or status', async () => {
    const name = newName();
    const generations: unknown[] = [];
    const note = (object: KubeObject | null) => generations.push(object?.metadata.generation);
    note(await kube().create(things, aThing(name, { text: 'a' })));
    note(
      await kube().patch(thing(name), {
        type: 'merge',
        body: { metadata: { labels: { a: 'b' }, finalizers: ['signalbox.dev/a'] } },
      }),
    );
    note(
      await kube().patch(thing(name), { type: 'merge', body: { status: { phase: 'x' } } }, { subresource: 'status' }),
    );
    note(await kube().patch(thing(name), { type: 'merge', body: { spec: { text: 'b' } } }));
    await kube().delete(thing(name));
    note(await kube().get(thing(name)));
    expect(generations).toEqual([1, 1, 1, 2, 3]);
  });

  test('each endpoint writes its own part only', async () => {
    const name = newName();
    await kube().create(things, { ...aThing(name, { text: 'a' }), status: { phase: 'ignored' } });
    const both = { type: 'merge', body: { spec: { text: 'b' }, status: { phase: 'x' } } } as const;
    expect(await kube().patch(thing(name), both, { subresource: 'status' })).toMatchObject({
      spec: { text: 'a' },
      status: { phase: 'x' },
    });
    const main = { type: 'merge', body: { spec: { text: 'b' }, status: { phase: 'y' } } } as const;
    expect(await kube().patch(thing(name), main)).toMatchObject({ spec: { text: 'b' }, status: { phase: 'x' } });
  });

  test('a definition defaults, and refuses what its schema does not allow, naming the field', async () => {
    const created = await kube().create(things, aThing(newName(), { ports: [{ port: 1 }], nested: {} }));
    expect(created.spec).toEqual({ mode: 'Off', ports: [{ port: 1, protocol: 'TCP' }], nested: { text: 'deep' } });
    const wrong: [Record<string, unknown>, string][] = [
      [{ mode: 'Maybe' }, 'spec.mode'],
      [{ number: 101 }, 'spec.number'],
      [{ text: 1 }, 'spec.text'],
      [{ set: ['a', 'a'] }, 'spec.set[1]'],
      [{ nested: { byName: [{}] } }, 'spec.nested.byName[0].name'],
    ];
    for (const [spec, field] of wrong) {
      const error = await kube()
        .create(things, aThing(newName(), spec))
        .catch((thrown: unknown) => thrown);
      expect(
        isKubeError(error, 'invalid') && error.detail.fields?.map((entry) => entry.field),
        JSON.stringify(spec),
      ).toContain(field);
    }
  });

  test('a misspelt field is an error that names it', async () => {
    const name = newName();
    const misspelt = aThing(name, { txet: 'a' });
    const attempts = [
      () => kube().create(things, misspelt),
      () => kube().apply(things, misspelt),
      () => kube().create(resources.configMaps, aConfigMap(newName(), { dta: {} })),
    ];
    for (const attempt of attempts) {
      const error = await attempt().catch((thrown: unknown) => thrown);
      expect(
        isKubeError(error, 'invalid') && error.detail.fields?.map(({ field }) => field.replace(/^spec\./, '')),
      ).toEqual([attempt === attempts[2] ? 'dta' : 'txet']);
    }
    const lax = await kube().create(things, misspelt, { fieldValidation: 'Ignore' });
    expect(lax.spec).toEqual({ mode: 'Off' });
  });

  test('a patch that does not fit, another name, and a strange apiVersion are invalid', async () => {
    const name = newName();
    await kube().create(resources.configMaps, aConfigMap(name));
    const attempts = [
      () => kube().patch(configMap(name), { type: 'json', operations: [{ op: 'test', path: '/data/a', value: 'x' }] }),
      () => kube().patch(configMap(name), { type: 'json', operations: [{ op: 'remove', path: '/data/a' }] }),
      () => kube().patch(configMap(name), { type: 'merge', body: { metadata: { name: 'other' } } }),
      () => kube().patch(configMap(name), { type: 'merge', body: { data: { a: 1 } } }),
      () =>
        kube().apply(resources.configMaps, {
          ...aConfigMap(name),
          metadata: { name, namespace: contractNamespace, managedFields: [] },
        }),
    ];
    for (const [index, attempt] of attempts.entries()) {
      await expect(attempt(), `attempt ${index}`).rejects.toMatchObject({ code: 'invalid' });
    }
  });

  test('a generated name is made by the server', async () => {
    const { name: _, ...metadata } = aConfigMap('').metadata;
    const created = await kube().create(resources.configMaps, {
      ...aConfigMap(''),
      metadata: { ...metadata, generateName: 'made-' },
    });
    expect(created.metadata.name).toMatch(/^made-.{5}$/);
  });

  test('an administrator may do everything', async () => {
    const rules = [{ verb: 'patch', group: 'apps', resource: 'daemonsets', namespace: 'kube-system' }];
    expect(await kube().allowed(rules)).toMatchObject([{ ...rules[0], allowed: true }]);
  });

  test('discovery lists kinds with their group', async () => {
    const { resources: found } = await kube().discover();
    const thingFound = found.find(({ kind }) => kind === 'Thing');
    expect(thingFound).toMatchObject({ ...things });
    expect(found.find(({ kind, group }) => kind === 'DaemonSet' && group === 'apps')).toMatchObject({
      plural: 'daemonsets',
      namespaced: true,
    });
  });
});

async function collect(
  kube: Kube,
  resource: Parameters<Kube['list']>[0],
  options?: Parameters<Kube['list']>[1],
): Promise<KubeObject[]> {
  const all: KubeObject[] = [];
  for await (const { items } of kube.list(resource, options)) all.push(...items);
  return all;
}

async function namespaceWith(
  kube: Kube,
  objects: { name: string; labels?: Record<string, string> }[],
): Promise<string> {
  const namespace = newName();
  await kube.create(resources.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  for (const metadata of objects) {
    await kube.create(resources.configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...metadata, namespace },
    });
  }
  return namespace;
}

/** The first `count` events of a watch, shortened; `act` starts after the first one. */
async function watched(
  kube: Kube,
  options: { labelSelector: string },
  count: number,
  act: () => Promise<void>,
): Promise<string[]> {
  const stop = new AbortController();
  const events: string[] = [];
  let acting: Promise<void> | null = null;
  for await (const event of kube.watch(resources.configMaps, {
    ...options,
    namespace: contractNamespace,
    signal: stop.signal,
  })) {
    if (event.type === 'bookmark') continue;
    events.push(brief(event));
    acting ??= act();
    if (events.length === count) stop.abort();
  }
  await acting;
  return events;
}

function brief(event: WatchEvent): string {
  if (event.type === 'synced') return `synced ${event.objects.map(({ metadata }) => metadata.name).join(' ')}`;
  return 'object' in event ? `${event.type} ${event.object.metadata.name}` : event.type;
}
