import { expect, test } from 'vitest';
import { instantClock } from '#lib/kube/index.ts';
import { mapsInMemory } from '../../bpf/testing/maps-in-memory.ts';
import { ServiceTable } from '../../services/service-table.ts';
import { sourceResources } from '../../source/source.ts';
import { readPresent } from '../../sync/map-writes.ts';
import { SourceState } from './source-state.ts';

function aState() {
  const logLines: string[] = [];
  const clock = instantClock();
  const table = new ServiceTable('node-1', readPresent(mapsInMemory()));
  const log = (line: string) => void logLines.push(line);
  const seen = new SourceState({ nodeName: 'node-1', withoutPolicy: 'refuse', clock, log }, table);
  const write = () => {
    table.plan().done();
    seen.synced();
  };
  return { seen, clock, logLines, write };
}

/** So many EndpointSlices are gone, and the list of the others has ended. */
function slicesListed(seen: SourceState, count: number) {
  const [slices] = sourceResources.slices;
  if (slices === undefined) throw new Error('No EndpointSlices.');
  for (let index = 0; index < count; index++) seen.changed('slices', `shop/web-${index}`, null);
  seen.listed('slices', slices);
}

const policy = (name: string) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { namespace: 'shop', name },
});
const service = (name: string, clusterIP: string) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'shop', name },
  spec: { type: 'ClusterIP', clusterIP, ports: [{ protocol: 'TCP', port: 80 }] },
});
const [first, ...others] = sourceResources.policies;
if (first === undefined) throw new Error('No kind of policies.');

test('policies count as none only once each of their resources was listed', () => {
  const { seen } = aState();
  for (const resource of others) seen.listed('policies', resource);
  expect(seen.policyRefusal()).toMatch(/^Not verified that there are no network policies \(networkpolicies/);
  seen.listed('policies', first);
  expect(seen.policyRefusal()).toBeNull();
});

test('policies that may not be read are not known, for the reason that was given', () => {
  const { seen } = aState();
  for (const resource of others) seen.listed('policies', resource);
  seen.refused('policies', first, 'you may not list them');
  expect(seen.policyRefusal()).toBe('Not verified that there are no network policies (you may not list them)');
  seen.listed('policies', first);
  expect(seen.policyRefusal()).toBeNull();
});

test('a policy is named, the first of them by name, until it is deleted', () => {
  const { seen } = aState();
  for (const resource of sourceResources.policies) seen.listed('policies', resource);
  seen.changed('policies', 'shop/deny', policy('deny'));
  seen.changed('policies', 'shop/allow', policy('allow'));
  seen.changed('policies', 'shop/web', policy('web'));
  expect(seen.policyRefusal()).toBe('There are policies: shop/allow and 2 more');
  seen.changed('policies', 'shop/web', null);
  expect(seen.policyRefusal()).toBe('There are policies: shop/allow and 1 more');
  for (const name of ['allow', 'deny']) seen.changed('policies', `shop/${name}`, null);
  expect(seen.policyRefusal()).toBeNull();
});

test('the wait for lists ends with policies that may not be read, and with no other kind that may not', async () => {
  const { seen } = aState();
  let isListed = false;
  const listed = seen.untilListed(new AbortController().signal).then(() => {
    isListed = true;
  });
  for (const resource of sourceResources.policies) seen.refused('policies', resource, 'forbidden');
  for (const kind of ['services', 'slices'] as const)
    for (const resource of sourceResources[kind]) seen.listed(kind, resource);
  for (const resource of sourceResources.nodes) seen.refused('nodes', resource, 'forbidden');
  await new Promise(setImmediate);
  expect(isListed).toBe(false);
  for (const resource of sourceResources.nodes) seen.listed('nodes', resource);
  await listed;
});

test('one reason that keeps a resource unread is logged once, and forgotten once it was listed', () => {
  const { seen, logLines } = aState();
  const [services] = sourceResources.services;
  if (services === undefined) throw new Error('No Services.');
  seen.interrupted('services', services, 'no route');
  seen.interrupted('services', services, 'no route');
  expect(logLines).toEqual(['services cannot be read: no route']);
  expect(seen.state().interrupted).toEqual(new Map([['services', 'no route']]));
  seen.listed('services', services);
  expect(seen.state().interrupted).toEqual(new Map());
});

test('a change is pending until it is written, and a failure is told until then', () => {
  const { seen, write } = aState();
  expect(seen.state()).toMatchObject({ pendingSince: null, isSynced: false });
  seen.changed('services', 'shop/web', service('web', '10.96.0.7'));
  seen.failed(new Error('the map is full'));
  expect(seen.state()).toMatchObject({ pendingSince: expect.any(Number), lastFailure: 'the map is full' });
  write();
  expect(seen.state()).toMatchObject({ pendingSince: null, isSynced: true, lastFailure: null });
});

test('large lists are over once, when they are written and no other has come for a while', async () => {
  const { seen, clock, write } = aState();
  slicesListed(seen, 1_000);
  await clock.sleep(2_000, new AbortController().signal);
  expect(seen.takeLargeLists()).toBe(false);
  write();
  slicesListed(seen, 1);
  write();
  expect(seen.takeLargeLists()).toBe(false);
  await clock.sleep(2_000, new AbortController().signal);
  expect(seen.takeLargeLists()).toBe(true);
  expect(seen.takeLargeLists()).toBe(false);
});

test('lists of a small cluster are not worth it', async () => {
  const { seen, clock, write } = aState();
  slicesListed(seen, 999);
  write();
  await clock.sleep(2_000, new AbortController().signal);
  expect(seen.takeLargeLists()).toBe(false);
});
