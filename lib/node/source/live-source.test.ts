import { afterEach, expect, test } from 'vitest';
import { createStore, instantClock, type KubeObject } from '#lib/kube/index.ts';
import { type Resource, resources } from '#lib/spec/index.ts';
import { liveSource } from './live-source.ts';
import { fullName, type SourceKind, sourceResources } from './source.ts';

const followed = [resources.namespaces, ...Object.values(sourceResources).flat()];
const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
const service = (name: string, labels: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'shop', name, labels },
  spec: { clusterIP: '10.96.0.7', ports: [{ port: 80 }] },
});
const policy = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { namespace: 'shop', name: 'deny' },
  spec: { podSelector: {} },
};

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

function follow(kube: ReturnType<typeof createStore>) {
  const seen: string[] = [];
  const listed = new Set<string>();
  const interrupted = new Map<string, string>();
  const refused = new Map<string, string>();
  const stop = new AbortController();
  ends.push(() => stop.abort());
  const sink = {
    changed: (kind: SourceKind, key: string, object: KubeObject | null) =>
      void seen.push(`${object ? '+' : '-'} ${kind} ${key}`),
    listed: (_: SourceKind, resource: Resource) => void listed.add(fullName(resource)),
    interrupted: (_: SourceKind, resource: Resource, because: string) =>
      void interrupted.set(fullName(resource), because),
    refused: (_: SourceKind, resource: Resource, because: string) => void refused.set(fullName(resource), because),
  };
  const ended = liveSource(kube, instantClock()).follow(sink, stop.signal);
  ended.catch(() => undefined);
  return { seen, listed, interrupted, refused, ended, stop };
}

test('existing objects are reported, then each change; Services of other proxies are left out', async () => {
  const kube = createStore({
    name: 'lab',
    source: 'live',
    kinds: followed,
    objects: [namespace, service('web'), service('other', { 'service.kubernetes.io/service-proxy-name': 'x' }), policy],
  });
  const { seen, listed } = follow(kube);
  await expect.poll(() => listed.size).toBe(followed.length - 1);
  expect(seen.sort()).toEqual(['+ policies networkpolicies.networking.k8s.io/shop/deny', '+ services shop/web']);
  await kube.delete({ resource: resources.services, namespace: 'shop', name: 'web' });
  await kube.create(resources.services, service('db'));
  await expect.poll(() => seen.slice(2).sort()).toEqual(['+ services shop/db', '- services shop/web']);
});

test('a kind of policies that is not served has none', async () => {
  const kube = createStore({ name: 'lab', source: 'live', kinds: followed.slice(0, 4), objects: [namespace] });
  const { listed, interrupted, refused } = follow(kube);
  await expect.poll(() => listed.size).toBe(followed.length - 1);
  expect([...interrupted, ...refused]).toEqual([]);
});

test('policies that may not be read are not taken for none', async () => {
  const readable = followed.filter((one) => one !== resources.networkPolicies);
  const access = readable.map(({ group, plural }) => ({
    groups: [group],
    resources: [plural],
    verbs: ['list', 'watch'],
  }));
  const kube = createStore({ name: 'lab', source: 'live', kinds: followed, objects: [namespace, policy], access });
  const { listed, refused } = follow(kube);
  await expect.poll(() => refused.get('networkpolicies.networking.k8s.io') ?? '').toContain('networkpolicies');
  await expect.poll(() => listed.size).toBe(followed.length - 2);
  expect([...refused.keys()]).toEqual(['networkpolicies.networking.k8s.io']);
});

test('of FelixConfigurations the default one is told; where they may not be read, the rest is', async () => {
  const felix = (name: string) => ({
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'FelixConfiguration',
    metadata: { name },
    spec: {},
  });
  const objects = [namespace, felix('default'), felix('node.a')];
  const { seen, listed } = follow(createStore({ name: 'lab', source: 'live', kinds: followed, objects }));
  await expect.poll(() => listed.size).toBe(followed.length - 1);
  expect(seen).toEqual(['+ felix felixconfigurations.crd.projectcalico.org//default']);
  const access = followed
    .filter(({ plural }) => plural !== 'felixconfigurations')
    .map(({ group, plural }) => ({ groups: [group], resources: [plural], verbs: ['list', 'watch'] }));
  const other = follow(createStore({ name: 'lab', source: 'live', kinds: followed, objects, access }));
  await expect.poll(() => other.listed.size).toBe(followed.length - 3);
  expect([...other.refused.keys()].sort()).toEqual([
    'felixconfigurations.crd.projectcalico.org',
    'felixconfigurations.projectcalico.org',
  ]);
});
