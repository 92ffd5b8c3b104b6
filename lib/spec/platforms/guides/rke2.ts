import { cniPaths, flexVolumePaths } from '../../objects/operator-paths.ts';
import { agentDefault, instructions, ownDns, read } from './guide-words.ts';
import type { PlatformGuide } from './platform-guide.ts';

export const rancher2 = {
  ebpf: 'supported with limits',
  because:
    'The service proxy is part of the agent: it is turned off in the configuration of every server, not through the API.',
  endpoint: {
    host: 'the fixed registration address in front of the servers (`--server` of the nodes)',
    port: '6443',
    stable: 'A load balancer, a record of several addresses, or a virtual address, when one was made for it.',
  },
  cni: cniPaths.other,
  cgroupPath: agentDefault,
  dns: ownDns,
  read,
} as const;

export const rke2Guide: PlatformGuide = {
  ...rancher2,
  id: 'rke2',
  kind: 'rke2',
  title: 'RKE2',
  tell: '`+rke2r` in versions.',
  proxy: {
    runsAs: 'a static pod on each node, which the agent writes',
    off: instructions('rke2'),
  },
  createFlags: ['cni: none', 'disable-kube-proxy: true'],
  flexVolumePath: flexVolumePaths.rke2,
  provider: { value: 'RKE2', by: 'detected' },
  notes: [
    {
      text: 'Its own chart installs Calico with Helm: `cni: calico`, changed by a HelmChartConfig. Such an installation belongs to that chart, and to the endpoint ConfigMap where that chart’s operator reads it.',
      source: 'https://docs.rke2.io/networking/basic_network_options; rancher/rke2#9317',
    },
    {
      text: 'Its agent, which is that of K3s, runs without a flannel of its own, and then names no CNI folders on Linux: its containerd looks where the operator puts plugins and configuration.',
      source:
        'rancher/rke2 pkg/cli/defaults/defaults.go (FlannelBackend none); k3s-io/k3s pkg/agent/config/config.go (CNIBinDir, CNIConfDir), read 2026-11-24',
    },
    {
      text: 'An earlier guide recommended `localhost` as endpoint: it means the pod itself in pods on the pod network.',
      source: 'rancher/rke2-docs#567; pain.md §1 A1',
    },
    {
      text: 'One changed value of the chart removed the namespace calico-system, and a webhook whose pod had no network refused it back.',
      source: 'rancher/rke2#11055',
    },
    {
      text: 'Clusters with separate etcd and control plane nodes: leave the automatic mode alone.',
      source: 'pain.md §1 A11',
    },
  ],
  source:
    'checks.md › platform.supported; operations.md › proxy.instructions; https://docs.rke2.io/install/ha; https://docs.rke2.io/networking/basic_network_options; calico.md §2.1; calico.md §3.1',
};

export const rancherGuide: PlatformGuide = {
  ...rancher2,
  id: 'rancher',
  kind: 'rke2',
  title: 'Managed by Rancher (RKE2 or K3s underneath)',
  tell: 'No kind of its own: what is underneath decides. Labels of `rke.cattle.io/` on nodes, which RKE1 has as well, and the agents in namespace cattle-system show it.',
  because: 'As what is underneath; and Rancher writes its configuration, so that a change on a server does not last.',
  proxy: {
    runsAs: 'as underneath',
    off: 'In the cluster’s YAML in Rancher, not in its forms and not on the servers.',
  },
  createFlags: {
    unknown:
      'The keys are those of RKE2 or K3s. Rancher’s cluster configuration reference says where they stand in the cluster’s YAML.',
  },
  flexVolumePath: flexVolumePaths.rke2,
  provider: { value: 'RKE2', by: 'detected' },
  notes: [
    { text: 'kube-proxy can be disabled by YAML only.', source: 'rancher/rancher#33785' },
    {
      text: 'rancher-webhook refuses namespaces while its own pod has no network: exclude calico-system for the window.',
      source: 'rancher/rke2#11055',
    },
    { text: 'A Helm release in pending-upgrade holds everything up.', source: 'pain.md §5 Rancher' },
  ],
  source: 'observed: RKE2 or K3s underneath; rancher/rancher#33785; calico.md §2.1',
};
