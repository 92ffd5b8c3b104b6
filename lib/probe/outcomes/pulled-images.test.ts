import { expect, test } from 'vitest';
import type { TestOutcome } from '#lib/kube/index.ts';
import { pulledImages } from './pulled-images.ts';

const images = ['quay.io/calico/node:v3.31.4', 'quay.io/calico/cni:v3.31.4'];
const pod = (...states: object[]) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'signalbox-preflight', name: 'images' },
  status: { containerStatuses: states.map((state, index) => ({ name: `image-${index}`, state })) },
});
const running = { running: { startedAt: '2026-01-01T00:00:00Z' } };
const ended = { terminated: { exitCode: 1 } };
const waiting = (reason: string, message?: string) => ({ waiting: { reason, ...(message ? { message } : {}) } });

test.each<[string, object[], TestOutcome | null]>([
  ['no container yet', [], null],
  ['one of two', [running], null],
  ['one that is pulled still', [running, waiting('ContainerCreating')], null],
  ['both run', [running, running], { kind: 'passed' }],
  ['a program that ends at once was pulled too', [running, ended], { kind: 'passed' }],
  ['a start that fails was pulled too', [running, waiting('CrashLoopBackOff')], { kind: 'passed' }],
  [
    'one that cannot be pulled, before the other is there',
    [waiting('ContainerCreating'), waiting('ErrImagePull', 'no such host')],
    { kind: 'failed', because: 'quay.io/calico/cni:v3.31.4: no such host' },
  ],
  [
    'a reason without words',
    [waiting('ImagePullBackOff'), running],
    { kind: 'failed', because: 'quay.io/calico/node:v3.31.4: ImagePullBackOff' },
  ],
])('%s', (_what, states, expected) => {
  expect(pulledImages(pod(...states), images)).toEqual(expected);
});
