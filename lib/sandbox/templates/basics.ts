import type { ClusterShape } from './cluster-shape.ts';
import { helmRelease, ownedByHelm } from './helm-release.ts';
import type { Samples } from './sample.ts';
import { adding, all } from './variations.ts';

/** After the switch: its endpoint is written, and kube-proxy is off. */
export const onBpf: Partial<ClusterShape> = {
  dataplane: 'BPF',
  endpoint: { host: 'api.sandbox.example', port: '6443' },
  proxy: { mode: 'iptables', turnedOff: true },
};

export const basics: Samples = {
  empty: { shows: 'a kubeadm cluster of six nodes without a network yet', differs: {}, calico: 'absent' },
  standard: { shows: 'a healthy standard installation on six nodes', differs: {} },
  'calico-3.30': {
    shows: 'the standard installation of Calico v3.30.7, an upgrade behind',
    differs: { calico: 'v3.30.7' },
  },
  'calico-helm-3.30': {
    shows: 'Calico v3.30.7 by Helm, an upgrade behind, with a value that has another place in v3.31',
    differs: {
      calico: 'v3.30.7',
      variation: all(
        ...ownedByHelm,
        adding(
          helmRelease(
            { kubeletVolumePluginPath: '/var/lib/kubelet', goldmane: { enabled: false } },
            { version: 'v3.30.7' },
          ),
        ),
      ),
    },
  },
  bpf: { shows: 'the standard installation after the switch to eBPF', differs: onBpf },
};
