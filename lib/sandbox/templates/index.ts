import type { KubeObject } from '#lib/kube/index.ts';
import { aCluster, standard } from './cluster.ts';
import { type ClusterShape, sixNodes } from './cluster-shape.ts';

export type Template = {
  /** What it shows: one line, for `signalbox sandbox list`. */
  shows: string;
  kubernetesVersion: string;
  /** Fresh objects; `now` in milliseconds since the epoch, everything is older. */
  objects(now: number): KubeObject[];
};

const bpf: Partial<ClusterShape> = {
  dataplane: 'BPF',
  endpoint: { host: 'api.sandbox.example', port: '6443' },
  proxy: { mode: 'iptables', turnedOff: true },
};

/** Every sample is the standard one, but for this. */
const variations: Record<string, { shows: string; differs: Partial<ClusterShape>; calico?: 'absent' }> = {
  empty: { shows: 'a kubeadm cluster of six nodes without a network yet', differs: {}, calico: 'absent' },
  standard: { shows: 'a healthy standard installation on six nodes', differs: {} },
  bpf: { shows: 'the standard installation after the switch to eBPF', differs: bpf },
  'old-kernel': {
    shows: 'one worker whose kernel is too old for eBPF',
    differs: { nodes: withNode('worker-3', { kernel: '4.15.0-213-generic', osImage: 'Ubuntu 18.04.6 LTS' }) },
  },
  ipvs: { shows: 'kube-proxy in IPVS mode', differs: { proxy: { mode: 'ipvs', turnedOff: false } } },
  'not-ready': {
    shows: 'one worker that is not ready, with its pods',
    differs: { nodes: withNode('worker-4', { ready: false }) },
  },
  'wrong-endpoint': {
    shows: "the address in kubeadm's own configuration does not answer from the nodes; only 10.0.0.11:6443 does",
    differs: { controlPlaneEndpoint: 'api-old.sandbox.example:6443', answers: ['10.0.0.11:6443'] },
  },
};

export const templates: Readonly<Record<string, Template>> = Object.fromEntries(
  Object.entries(variations).map(([name, { shows, differs, calico }]) => [
    name,
    {
      shows,
      kubernetesVersion: standard.kubernetesVersion,
      objects: (now: number) => aCluster({ ...differs, now }, calico ?? 'installed'),
    },
  ]),
);

function withNode(name: string, differs: Partial<ClusterShape['nodes'][number]>): ClusterShape['nodes'] {
  return sixNodes().map((node) => (node.name === name ? { ...node, ...differs } : node));
}
