import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Kube, type KubeObject, type WatchEvent } from '#lib/kube/index.ts';
import { type Resource, resources } from '#lib/spec/index.ts';
import { type Plane, startControlPlane } from '../controlplane/index.ts';
import { thingDefinition, things } from './thing-definition.ts';

/** What only a real API server does to watches: it restarts, and it closes all watches of a kind whose definition changes. */
let plane: Plane;
let kube: Kube;

beforeAll(async () => {
  plane = await startControlPlane({ kind: 'bare', nodes: 0, components: 'api-only' });
  kube = await connect({ kubeconfig: plane.kubeconfig });
});

afterAll(async () => {
  await kube?.close();
  await plane?.stop();
});

test('a watch outlives a restart of the API server and misses nothing', async () => {
  const seen = follow(resources.configMaps);
  await seen.until((event) => event.type === 'synced');
  await kube.apply(resources.configMaps, configMap('before'));
  await seen.until(names('added', 'before'));

  await plane.stopApiServer();
  const { because } = await seen.until((event) => event.type === 'interrupted');
  expect(because.code).toBe('unreachable');
  await plane.startApiServer();
  await kube.apply(resources.configMaps, configMap('after'));
  await seen.untilKnown('after');
  await seen.end();
});

test('an update of a definition closes its watches, twice in a row, and no change is lost', async () => {
  await kube.apply(resources.customResourceDefinitions, thingDefinition);
  const seen = follow(things);
  await seen.until((event) => event.type === 'synced');

  for (const round of ['1', '2', '3']) {
    for (const twice of ['a', 'b']) {
      await kube.patch(
        { resource: resources.customResourceDefinitions, name: String(thingDefinition.metadata.name) },
        { type: 'merge', body: { spec: changedSchema(`${round}${twice}`) } },
      );
    }
    await eventually(() => kube.apply(things, thing(`thing-${round}`)));
    await seen.untilKnown(`thing-${round}`);
  }
  await seen.end();
});

test('a watch of a kind that is not served says so, and begins when it is', async () => {
  const later: Resource = { ...things, group: 'later.signalbox.dev', kind: 'Later', plural: 'laters' };
  const seen = follow(later);
  const { because } = await seen.until((event) => event.type === 'interrupted');
  expect(because.code).toBe('not-served');
  await kube.apply(resources.customResourceDefinitions, definitionOf(later));
  await seen.until((event) => event.type === 'synced');
  await seen.end();
});

test('who may not watch is told, with the rule that is missing', async () => {
  const stranger = await connect({ kubeconfig: plane.kubeconfigFor('stranger') });
  await expect(async () => {
    for await (const _ of stranger.watch(resources.pods, { namespace: 'default' }));
  }).rejects.toMatchObject({
    code: 'forbidden',
    detail: { rule: { verb: 'list', group: '', resource: 'pods', namespace: 'default' } },
  });
  await stranger.close();
});

function follow(resource: Resource) {
  const stop = new AbortController();
  const events: WatchEvent[] = [];
  const known = new Set<string>();
  let failure: unknown = null;
  const ended = (async () => {
    for await (const event of kube.watch(resource, { signal: stop.signal })) {
      events.push(event);
      if (event.type === 'synced') known.clear();
      for (const { metadata } of event.type === 'synced' ? event.objects : 'object' in event ? [event.object] : []) {
        known.add(metadata.name ?? '');
      }
    }
  })().catch((error: unknown) => {
    failure = error;
  });
  const within = async <T>(what: string, find: () => T | undefined): Promise<T> => {
    for (const deadline = performance.now() + 300_000; performance.now() < deadline; await pause(20)) {
      if (failure) throw failure;
      const found = find();
      if (found !== undefined) return found;
    }
    throw new Error(`${what} never came; there came: ${events.map(({ type }) => type).join(', ')}`);
  };
  return {
    until: <T extends WatchEvent>(wanted: (event: WatchEvent) => event is T): Promise<T> =>
      within('the event', () => events.find(wanted)),
    untilKnown: (name: string) => within(name, () => (known.has(name) ? true : undefined)),
    async end() {
      stop.abort();
      await ended;
      if (failure) throw failure;
    },
  };
}

function names(type: 'added', name: string) {
  return (event: WatchEvent): event is Extract<WatchEvent, { object: KubeObject }> =>
    event.type === type && event.object.metadata.name === name;
}

function configMap(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } };
}

function thing(name: string): KubeObject {
  return {
    apiVersion: `${things.group}/${things.version}`,
    kind: things.kind,
    metadata: { name, ...(things.namespaced ? { namespace: 'default' } : {}) },
  };
}

function changedSchema(description: string) {
  return { versions: definitionOf(things, description).spec.versions };
}

function definitionOf(resource: Resource, description = 'anything') {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${resource.plural}.${resource.group}` },
    spec: {
      group: resource.group,
      scope: resource.namespaced ? 'Namespaced' : 'Cluster',
      names: { plural: resource.plural, singular: resource.kind.toLowerCase(), kind: resource.kind },
      versions: [
        {
          name: resource.version,
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: 'object', description, 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      ],
    },
  };
}

async function eventually<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act();
    } catch (error) {
      if (attempt >= 100) throw error;
      await pause(100);
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
