import { expect, test } from 'vitest';
import { rolloutCounts } from './rollout.ts';

const daemonSet = (generation: number | undefined, status: object) => ({
  kind: 'DaemonSet',
  metadata: { name: 'agent', ...(generation === undefined ? {} : { generation }) },
  status,
});
const deployment = (replicas: number | undefined, status: object) => ({
  kind: 'Deployment',
  metadata: { name: 'server', generation: 2 },
  spec: { ...(replicas === undefined ? {} : { replicas }) },
  status: { observedGeneration: 2, ...status },
});
const three = { desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 3 };

test.each([
  ['every pod is new and available', daemonSet(2, { ...three, observedGeneration: 2 }), [true, 3, 3, 3]],
  ['the template changed, and nobody has seen it', daemonSet(3, { ...three, observedGeneration: 2 }), [false, 3, 0, 3]],
  ['a pod is old', daemonSet(2, { ...three, observedGeneration: 2, updatedNumberScheduled: 2 }), [false, 3, 2, 3]],
  ['a pod is away', daemonSet(2, { ...three, observedGeneration: 2, numberAvailable: 2 }), [false, 3, 3, 2]],
  [
    'one more than wanted, on a node that no longer counts',
    daemonSet(2, { ...three, observedGeneration: 2, numberAvailable: 4 }),
    [true, 3, 3, 4],
  ],
  ['no node wants it', daemonSet(2, { observedGeneration: 2, desiredNumberScheduled: 0 }), [true, 0, 0, 0]],
  ['a manifest without a status', daemonSet(undefined, {}), [false, 0, 0, 0]],
  [
    'one replica where none is named',
    deployment(undefined, { replicas: 1, updatedReplicas: 1, availableReplicas: 1 }),
    [true, 1, 1, 1],
  ],
  [
    'an old pod beside the new ones',
    deployment(2, { replicas: 3, updatedReplicas: 2, availableReplicas: 2 }),
    [false, 2, 2, 2],
  ],
  ['scaled to none', deployment(0, {}), [true, 0, 0, 0]],
] as const)('%s', (_what, object, [complete, desired, updated, available]) => {
  expect(rolloutCounts(object)).toMatchObject({ complete, desired, updated, available });
});
