import { cniPaths, flexVolumePaths } from '../../objects/operator-paths.ts';
import { agentDefault, daemonSet, notSupportedThere, ownDns, read } from './guide-words.ts';
import type { PlatformGuide } from './platform-guide.ts';

export const tkgGuide: PlatformGuide = {
  id: 'tkg',
  kind: 'tkg',
  title: 'TKG',
  tell: 'API group core.tanzu.vmware.com, or `+vmware` in versions.',
  ebpf: 'not supported',
  because: notSupportedThere,
  endpoint: {
    host: 'as kubeadm, which made the cluster',
    port: 'that of the load balancer',
    stable: 'As kubeadm: the load balancer’s address.',
  },
  proxy: { runsAs: daemonSet, off: 'Not described: eBPF mode is not supported there.' },
  createFlags: [],
  flexVolumePath: flexVolumePaths.other,
  cni: cniPaths.other,
  cgroupPath: agentDefault,
  provider: { value: 'TKG', by: 'detected' },
  dns: ownDns,
  notes: [
    {
      text: 'VXLAN over vSphere adapters loses inner checksums: TCP fails where ping works.',
      source: 'pain.md §1 D3',
    },
  ],
  source: 'spec › Limits; calico.md §2.1; calico.md §3.1',
  read,
};
