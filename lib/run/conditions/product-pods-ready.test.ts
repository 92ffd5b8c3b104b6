import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import type { ConditionContext } from './context.ts';
import { productPodsReady } from './product-pods-ready.ts';

const namespace = 'calico-system';

const aPod = (name: string, phase: string, ready: boolean): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace },
  spec: { nodeName: 'worker-1', containers: [{ name: 'calico-typha' }] },
  status: { phase, conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
});

async function lookAt(...pods: KubeObject[]) {
  const kube = createStore({ name: 'lab', source: 'live', kinds: Object.values(resources), objects: pods });
  const context = { kube, signal: new AbortController().signal } as unknown as ConditionContext;
  return productPodsReady(null, context);
}

test('every pod that runs has to be ready', async () => {
  expect(await lookAt(aPod('typha-a', 'Running', true))).toMatchObject({ kind: 'met' });
  expect(await lookAt(aPod('typha-a', 'Running', true), aPod('typha-b', 'Running', false))).toMatchObject({
    kind: 'waiting',
    heldUpBy: [{ name: 'typha-b' }],
  });
});

test.each(['Failed', 'Succeeded'])('a pod that has ended as %s, e.g. evicted, holds nothing up', async (phase) => {
  const found = await lookAt(aPod('typha-a', 'Running', true), aPod('typha-evicted', phase, false));
  expect(found).toMatchObject({ kind: 'met', evidence: [{ value: '1 of 1' }] });
});
