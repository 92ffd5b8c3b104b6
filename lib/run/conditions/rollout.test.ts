import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { heldUp } from './rollout.ts';

const labels = { app: 'calico-typha' };
const aPod = (name: string, phase: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'calico-system', labels },
  spec: { containers: [{ name: 'calico-typha' }] },
  status: { phase, conditions: [{ type: 'Ready', status: 'False' }] },
});

async function heldUpBy(kind: 'DaemonSet' | 'Deployment', pods: readonly KubeObject[]) {
  const workload: KubeObject = {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'calico-typha', namespace: 'calico-system' },
    spec: { selector: { matchLabels: labels } },
  };
  const kube = createStore({ name: 'lab', source: 'live', kinds: [], objects: pods });
  return (await heldUp(kube, workload)).heldUpBy.map(({ name }) => name);
}

test('twenty evicted pods of a Deployment do not hide the one that is waited for; a DaemonSet waits for each', async () => {
  const evicted = Array.from({ length: 20 }, (_, at) => aPod(`evicted-${at}`, 'Failed'));
  const pods = [...evicted, aPod('typha-new', 'Pending')];
  expect(await heldUpBy('Deployment', pods)).toEqual(['typha-new']);
  expect(await heldUpBy('DaemonSet', [aPod('failed', 'Failed')])).toEqual(['failed']);
});
