import { expect, test } from 'vitest';
import { resources } from '#lib/spec/index.ts';
import { instantClock } from '../clock.ts';
import { KubeError } from '../error.ts';
import type { KubeObject } from '../object.ts';
import type { WatchEvent } from '../port.ts';
import { createStore } from './index.ts';

const aNode = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } });
const store = () => createStore({ name: 'test', source: 'sandbox', clock: instantClock() });

test('a fault instead of a write: nothing happened; after it: it happened, but nobody was told', async () => {
  const kube = store();
  const lost = new KubeError('unreachable', 'The connection was lost.');
  const stopBefore = kube.intercept(async ({ verb }, proceed) => {
    if (verb === 'create') throw lost;
    await proceed();
  });
  await expect(kube.create(resources.nodes, aNode('a'))).rejects.toBe(lost);
  expect(await kube.get({ resource: resources.nodes, name: 'a' })).toBeNull();
  stopBefore();
  kube.intercept(async ({ verb }, proceed) => {
    await proceed();
    if (verb === 'create') throw lost;
  });
  await expect(kube.create(resources.nodes, aNode('b'))).rejects.toBe(lost);
  expect(await kube.get({ resource: resources.nodes, name: 'b' })).not.toBeNull();
});

test('a watch over a fault says so, waits, and lists again', async () => {
  const kube = store();
  let failures = 2;
  kube.intercept(async ({ verb }, proceed) => {
    if (verb === 'watch' && failures-- > 0) throw new KubeError('server', 'The API server is starting.');
    await proceed();
  });
  expect(await first(kube.watch(resources.nodes), 3)).toEqual(['interrupted', 'interrupted', 'synced']);
});

test('a watch on a kind that comes later waits for its definition; one that may not be read ends', async () => {
  const kube = store();
  const events = first(kube.watch(resources.tigeraStatuses), 2);
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };
  const names = { kind: 'TigeraStatus', plural: 'tigerastatuses' };
  const spec = { group: 'operator.tigera.io', scope: 'Cluster', names, versions: [version] };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'tigerastatuses.operator.tigera.io' },
    spec,
  };
  await kube.create(resources.customResourceDefinitions, definition);
  expect(await events).toEqual(['interrupted', 'synced']);
  const weak = kube.as({ name: 'weak', rules: [] });
  await expect(first(weak.watch(resources.nodes), 1)).rejects.toMatchObject({ code: 'forbidden' });
});

test('an updated definition closes the watches on its kind, which list again', async () => {
  const kube = store();
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };
  const names = { kind: 'TigeraStatus', plural: 'tigerastatuses' };
  const definition = (more: object) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'tigerastatuses.operator.tigera.io' },
    spec: { group: 'operator.tigera.io', scope: 'Cluster', names, versions: [{ ...version, ...more }] },
  });
  await kube.apply(resources.customResourceDefinitions, definition({}));
  const events = first(kube.watch(resources.tigeraStatuses), 2);
  await new Promise((resolve) => setTimeout(resolve, 5));
  await kube.apply(
    resources.customResourceDefinitions,
    definition({ additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.a' }] }),
  );
  expect(await events).toEqual(['synced', 'synced']);
});

test('a snapshot brings everything back, definitions and versions included', async () => {
  const kube = store();
  await kube.create(resources.nodes, aNode('a'));
  const snapshot = structuredClone(kube.snapshot());
  await kube.delete({ resource: resources.nodes, name: 'a' });
  kube.restore(snapshot);
  expect(await kube.get({ resource: resources.nodes, name: 'a' })).toEqual(snapshot.objects[0]);
  const changed = await kube.patch(
    { resource: resources.nodes, name: 'a' },
    { type: 'merge', body: { metadata: { labels: { a: 'b' } } } },
  );
  expect(Number(changed.metadata.resourceVersion)).toBeGreaterThan(snapshot.revision);
});

test('a cancelled call rejects as aborted', async () => {
  const kube = store();
  kube.intercept(() => new Promise(() => undefined));
  const stop = new AbortController();
  const call = kube.get({ resource: resources.nodes, name: 'a' }, { signal: stop.signal });
  stop.abort();
  await expect(call).rejects.toMatchObject({ code: 'aborted' });
});

async function first(events: AsyncIterable<WatchEvent>, count: number): Promise<string[]> {
  const types: string[] = [];
  for await (const event of events) {
    types.push(event.type);
    if (types.length === count) break;
  }
  return types;
}
