import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/kube/index.ts';
import { failuresOf, progressOf } from './progress.ts';

const workload = (kind: 'DaemonSet' | 'Deployment', status: Record<string, number>, generation = 2): KubeObject => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name: 'x', namespace: 'n', generation },
  status: { observedGeneration: generation, ...status },
});
const pod = (node: string, ready: boolean, more: Partial<KubeObject> = {}, deleted = false): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `x-${node}`, namespace: 'n', ...(deleted ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}) },
  spec: { nodeName: node },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  ...more,
});

test.each([
  [
    'DaemonSet',
    { desiredNumberScheduled: 5, updatedNumberScheduled: 2, numberAvailable: 4, numberUnavailable: 1 },
    'DaemonSet "n/x" update is rolling out (2 out of 5 updated)',
  ],
  [
    'DaemonSet',
    { desiredNumberScheduled: 5, updatedNumberScheduled: 5, numberAvailable: 3, numberUnavailable: 2 },
    'DaemonSet "n/x" is not available (awaiting 2 nodes)',
  ],
  ['DaemonSet', { desiredNumberScheduled: 0 }, 'DaemonSet "n/x" is not yet scheduled on any nodes'],
  [
    'DaemonSet',
    { desiredNumberScheduled: 4, updatedNumberScheduled: 4, numberAvailable: 4, observedGeneration: 1 },
    'DaemonSet "n/x" update is being processed (generation 2, observed generation 1)',
  ],
  ['DaemonSet', { desiredNumberScheduled: 4, updatedNumberScheduled: 4, numberAvailable: 4 }, null],
  ['Deployment', { unavailableReplicas: 1 }, 'Deployment "n/x" is not available (awaiting 1 replicas)'],
  ['Deployment', { availableReplicas: 1 }, null],
] as const)('%s %j: %s', (kind, status, words) => {
  expect(progressOf(workload(kind, status))).toBe(words);
});

const container = (state: unknown) => ({ status: { phase: 'Running', containerStatuses: [{ name: 'c', state }] } });

test.each([
  [{ waiting: { reason: 'CrashLoopBackOff' } }, 'Pod n/x-a has crash looping container: c'],
  [{ waiting: { reason: 'ImagePullBackOff' } }, 'Pod n/x-a failed to pull container image for: c'],
  [{ terminated: { exitCode: 1 } }, 'Pod n/x-a has terminated container: c'],
  [{ waiting: { reason: 'ContainerCreating' } }, undefined],
  [{ terminated: { exitCode: 0 } }, undefined],
])('a container in %j: %s', (state, words) => {
  expect(failuresOf([pod('a', false, container(state))])[0]).toBe(words);
});
