import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import type { ConditionContext } from './context.ts';
import { sidecarsReplaced } from './sidecars-replaced.ts';

const target = { resource: resources.deployments, namespace: 'shop', name: 'cart' };

const pod = (name: string, image: string | null, sidecar = 'dikastes'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'shop', labels: { app: 'cart' } },
  spec: { containers: [{ name: 'cart', image: 'cart:1' }, ...(image ? [{ name: sidecar, image }] : [])] },
});

function evaluated(updated: number, ...pods: KubeObject[]) {
  const deployment: KubeObject = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'cart', namespace: 'shop', generation: 2 },
    spec: { replicas: 2, selector: { matchLabels: { app: 'cart' } }, template: {} },
    status: { observedGeneration: 2, replicas: 2, updatedReplicas: updated, availableReplicas: 2 },
  };
  const kube = createStore({ name: 'lab', source: 'live', kinds: [], objects: [deployment, ...pods] });
  const context = { kube, signal: new AbortController().signal } as unknown as ConditionContext;
  return sidecarsReplaced({ kind: 'sidecars', target, version: 'v3.31.4' }, context);
}

const [old, next] = ['v3.30.7', 'v3.31.4'].map((version) => `mirror.example/dikastes:${version}`) as [string, string];

test('it is met once the workload has rolled out and each of its pods carries the sidecar of this release', async () => {
  expect(await evaluated(2, pod('a', next), pod('b', next))).toMatchObject({ kind: 'met' });
});

test('a sidecar of another name is known by its image', async () => {
  expect(await evaluated(2, pod('a', next), pod('b', next, 'policy'))).toMatchObject({ kind: 'met' });
});

test('an evicted pod of the earlier rollout holds nothing up', async () => {
  const evicted = { ...pod('c', old), status: { phase: 'Failed', reason: 'Evicted' } };
  expect(await evaluated(2, pod('a', next), pod('b', next), evicted)).toMatchObject({ kind: 'met' });
});

test.each([
  ['a rollout that goes on', 1, next, /restart/],
  ['an injector that still adds the old one', 2, old, /pod b carries mirror\.example\/dikastes:v3\.30\.7/],
  ['a pod that was not injected', 2, null, /pod b carries none/],
])('%s is waited for', async (_what, updated, image, words) => {
  const progress = await evaluated(updated, pod('a', next), pod('b', image));
  expect(progress.kind).toBe('waiting');
  expect(JSON.stringify(progress)).toMatch(words);
});
