import { afterEach, expect, test } from 'vitest';
import { createStore, instantClock, type KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { liveSource, policyKinds } from './live-source.ts';
import type { SourceKind } from './source.ts';

const followed = [resources.namespaces, resources.services, resources.endpointSlices, resources.nodes, ...policyKinds];
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
  const listed = new Set<SourceKind>();
  const interrupted = new Map<SourceKind, string>();
  const stop = new AbortController();
  ends.push(() => stop.abort());
  const sink = {
    changed: (kind: SourceKind, key: string, object: KubeObject | null) =>
      void seen.push(`${object ? '+' : '-'} ${kind} ${key}`),
    listed: (kind: SourceKind) => void listed.add(kind),
    interrupted: (kind: SourceKind, because: string) => void interrupted.set(kind, because),
  };
  const ended = liveSource(kube, instantClock()).follow(sink, stop.signal);
  ended.catch(() => undefined);
  return { seen, listed, interrupted, ended, stop };
}

test('what is there is told, then each change; Services of other proxies are not', async () => {
  const kube = createStore({
    name: 'lab',
    source: 'live',
    kinds: followed,
    objects: [namespace, service('web'), service('other', { 'service.kubernetes.io/service-proxy-name': 'x' }), policy],
  });
  const { seen, listed } = follow(kube);
  await expect.poll(() => [...listed].sort()).toEqual(['nodes', 'policies', 'services', 'slices']);
  expect(seen.sort()).toEqual(['+ policies networkpolicies.networking.k8s.io/shop/deny', '+ services shop/web']);
  await kube.delete({ resource: resources.services, namespace: 'shop', name: 'web' });
  await kube.create(resources.services, service('db'));
  await expect.poll(() => seen.slice(2).sort()).toEqual(['+ services shop/db', '- services shop/web']);
});

test('a kind of policies that is not served has none', async () => {
  const kube = createStore({ name: 'lab', source: 'live', kinds: followed.slice(0, 4), objects: [namespace] });
  const { listed, interrupted } = follow(kube);
  await expect.poll(() => listed.has('policies')).toBe(true);
  expect(interrupted.has('policies')).toBe(false);
});

test('policies that may not be read are not taken for none', async () => {
  const readable = followed.filter((one) => one !== resources.networkPolicies);
  const access = readable.map(({ group, plural }) => ({
    groups: [group],
    resources: [plural],
    verbs: ['list', 'watch'],
  }));
  const kube = createStore({ name: 'lab', source: 'live', kinds: followed, objects: [namespace, policy], access });
  const { interrupted } = follow(kube);
  await expect.poll(() => interrupted.get('policies') ?? '').toContain('networkpolicies');
});
