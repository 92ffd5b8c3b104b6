import type { KubeObject } from '#lib/kube/index.ts';
import { onBpf } from '../basics.ts';
import { sixNodes } from '../cluster-shape.ts';
import { everyNode, withNode } from '../nodes.ts';
import type { Samples } from '../sample.ts';
import { adding } from '../variations.ts';

const felixOfNode = (node: string, spec: Record<string, unknown>): KubeObject => ({
  apiVersion: 'crd.projectcalico.org/v1',
  kind: 'FelixConfiguration',
  metadata: { name: `node.${node}`, generation: 1 },
  spec,
});

/** Failures of nodes (pain C, F). */
export const nodeFailures: Samples = {
  'old-kernel': {
    shows: 'one worker whose kernel is too old for eBPF',
    differs: { nodes: withNode('worker-3', { kernel: '4.15.0-213-generic', osImage: 'Ubuntu 18.04.6 LTS' }) },
  },
  'fell-back': {
    shows: 'on eBPF, with one worker whose kernel is too old: its agent fell back, and nothing serves Services there',
    differs: { ...onBpf, nodes: withNode('worker-3', { kernel: '4.15.0-213-generic', osImage: 'Ubuntu 18.04.6 LTS' }) },
  },
  'old-rhel': {
    shows: 'CentOS 8.1: its kernel is 4.18, and one release too early for what Red Hat put into it',
    differs: { nodes: everyNode({ kernel: '4.18.0-147.8.1.el8_1.x86_64', osImage: 'CentOS Linux 8 (Core)' }) },
  },
  'kvm-kernel': {
    shows: 'one worker with the small kernel of Ubuntu for virtual machines, which lacks what programs are attached to',
    differs: { nodes: withNode('worker-3', { kernel: '5.15.0-1047-kvm', osImage: 'Ubuntu 22.04.4 LTS' }) },
  },
  's390x-worker': {
    shows: 'one worker of an architecture for which there are no eBPF programs',
    differs: { nodes: withNode('worker-5', { architecture: 's390x' }) },
  },
  'windows-worker': {
    shows: 'one Windows worker: NodePort traffic to it would be dropped',
    differs: {
      nodes: [
        ...sixNodes(),
        {
          name: 'windows-1',
          address: '10.0.0.17',
          podCIDR: '192.168.6.0/24',
          os: 'windows',
          osImage: 'Windows Server 2022 Datacenter',
          kernel: '10.0.20348.2762',
        },
      ],
    },
  },
  'not-ready': {
    shows: 'one worker that is not ready, with its pods',
    differs: { nodes: withNode('worker-4', { readiness: 'lost' }) },
  },
  'mixed-nodes': {
    shows: 'one worker is on eBPF by a setting of its own: the two data planes cannot be mixed',
    differs: { variation: adding(felixOfNode('worker-2', { bpfEnabled: true })) },
  },
};
