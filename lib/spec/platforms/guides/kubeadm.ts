import { cniPaths, flexVolumePaths } from '../../objects/operator-paths.ts';
import { agentDefault, bySelector, daemonSet, ownDns, read } from './guide-words.ts';
import type { PlatformGuide } from './platform-guide.ts';

const kubeadm = {
  kind: 'kubeadm',
  ebpf: 'supported',
  because: 'A generic platform.',
  proxy: { runsAs: daemonSet, off: bySelector },
  createFlags: ['kubeadm init --skip-phases=addon/kube-proxy'],
  flexVolumePath: flexVolumePaths.other,
  cni: cniPaths.other,
  cgroupPath: agentDefault,
  provider: { value: '', by: 'none' },
  dns: ownDns,
  source: 'spec › Per-platform values; spec › Endpoints; calico.md §2.1; operations.md › operator.dns',
  read,
} as const;

export const comesBack = {
  text: 'A later `kubeadm upgrade` puts kube-proxy back as long as ConfigMap kube-system/kube-proxy exists: delete it, or skip the phase then too.',
  source: 'pain.md §1 B5',
};

const automatic = {
  text: 'From v3.31 on the operator can do it all (`bpfNetworkBootstrap` and `kubeProxyManagement`), where kube-proxy is a plain DaemonSet and no endpoint ConfigMap exists. A cluster made without kube-proxy must leave `kubeProxyManagement` out, else TigeraStatus kubeproxy-monitor stays Degraded.',
  source: 'calico.md §3.3; calico.md §13 no. 6',
};

export const kubeadmGuides: readonly PlatformGuide[] = [
  {
    ...kubeadm,
    id: 'kubeadm-ha',
    title: 'kubeadm, several control plane nodes',
    tell: 'More than one address in default/EndpointSlice of `kubernetes`.',
    endpoint: {
      host: 'the load balancer’s address',
      port: 'that of the load balancer, mostly 6443',
      stable: 'It stays when API servers restart or are scaled.',
    },
    notes: [
      comesBack,
      automatic,
      {
        text: 'kube-vip as that load balancer must itself use the local API server, else neither starts.',
        source: 'pain.md §1 A9',
      },
    ],
  },
  {
    ...kubeadm,
    id: 'kubeadm-single',
    title: 'kubeadm, one control plane node',
    tell: 'One address in default/EndpointSlice of `kubernetes`.',
    endpoint: {
      host: 'a stable DNS record of the node, or its static address',
      port: '6443, unless another was given',
      stable:
        'Only if the address is static: a dynamic one (a cloud’s private address) may change on restart and cuts the data plane off.',
    },
    notes: [comesBack, automatic],
  },
];
