import { expect, test } from 'vitest';
import type { NodeFact } from '#lib/facts/index.ts';
import { networkSentence } from './network-sentence.ts';

const node = (name: string, notReady: NodeFact['notReady'], os = 'linux') => ({ name, os, virtual: false, notReady });
const waits = { waitsFor: 'network', because: 'cni plugin not initialized' } as const;
const stopped = { waitsFor: 'other', because: 'Kubelet stopped posting node status.' } as const;
const vpc = { product: 'Amazon VPC CNI', object: 'kube-system/DaemonSet/aws-node' };

test.each([
  [
    'no node has a network',
    [node('a', waits), node('b', waits)],
    [],
    'All 2 nodes are NotReady for want of a network, and pods wait there.',
  ],
  ['the one node has none', [node('a', waits)], [], 'Its node is NotReady for want of a network, and pods wait there.'],
  ['another network is there', [node('a', null), node('b', null)], [vpc], 'Amazon VPC CNI connects its pods.'],
  [
    'another network has not come to one node',
    [node('a', null), node('b', waits)],
    [vpc],
    'Amazon VPC CNI connects its pods, and yet 1 of 2 nodes is NotReady for want of a network, and pods wait there.',
  ],
  [
    'nodes are Ready, and nobody knows by what',
    [node('a', null)],
    [],
    'Its nodes are Ready, so a pod network exists, but not one that Signalbox recognises.',
  ],
  [
    'one has a trouble of its own',
    [node('a', waits), node('b', waits), node('c', stopped)],
    [],
    '2 of 3 nodes are NotReady for want of a network, and pods wait there. c is NotReady for another reason: Kubelet stopped posting node status.',
  ],
  [
    'all have',
    [node('a', stopped), node('b', stopped)],
    [],
    'No node is Ready, and none reports that it lacks a network: the pod network is not verified. a and b are NotReady for another reason, a: Kubelet stopped posting node status.',
  ],
  [
    'Windows nodes do not count',
    [node('a', waits), node('w', null, 'windows')],
    [],
    'Its node is NotReady for want of a network, and pods wait there.',
  ],
  ['no node could be read', [], [], ''],
])('%s', (_name, nodes, otherNetworks, expected) => {
  expect(networkSentence({ nodes, installation: { otherNetworks } })).toBe(expected);
});
