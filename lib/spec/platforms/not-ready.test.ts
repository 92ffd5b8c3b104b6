import { expect, test } from 'vitest';
import { notReady } from './not-ready.ts';

const ready = (status: string, message?: string, reason = 'KubeletNotReady') => [
  { type: 'DiskPressure', status: 'False', message: 'kubelet has no disk pressure' },
  { type: 'Ready', status, reason, ...(message === undefined ? {} : { message }) },
];

test('a node that is Ready waits for nothing', () => {
  expect(notReady(ready('True', 'kubelet is posting ready status'))).toBeNull();
});

test.each([
  [
    'containerd',
    'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized',
  ],
  [
    'CRI-O',
    'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: No CNI configuration file in /etc/kubernetes/cni/net.d/. Has your network provider started?',
  ],
  [
    'Docker, Kubernetes 1.18',
    'runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:docker: network plugin is not ready: cni config uninitialized',
  ],
])('without a network, as %s says it', (_runtime, message) => {
  expect(notReady(ready('False', message))).toEqual({ waitsFor: 'network', because: message });
});

test.each([
  ['its kubelet stopped', ready('Unknown', 'Kubelet stopped posting node status.', 'NodeStatusUnknown')],
  [
    'a second error beside the network',
    ready(
      'False',
      '[container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized, PLEG is not healthy: pleg was last seen active 4m2s ago; threshold is 3m0s]',
    ),
  ],
  ['the runtime is away', ready('False', 'container runtime is down')],
  [
    'the network was missing when it was heard of last',
    ready('Unknown', 'container runtime network not ready: NetworkReady=false'),
  ],
  ['a word that only looks like it', ready('False', 'see: container runtime network not ready: NetworkReady=false')],
])('%s: that is another reason', (_name, conditions) => {
  expect(notReady(conditions)?.waitsFor).toBe('other');
});

test('a node that says nothing is not Ready, and what it says too long is cut', () => {
  expect(notReady([])).toEqual({ waitsFor: 'other', because: 'its kubelet does not say why' });
  expect(notReady(ready('False'))).toEqual({ waitsFor: 'other', because: 'KubeletNotReady' });
  expect(notReady(ready('False', 'x'.repeat(10_000)))?.because.length).toBeLessThan(310);
});
