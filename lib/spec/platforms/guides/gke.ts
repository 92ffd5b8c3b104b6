import { cniPaths, flexVolumePaths } from '../../objects/operator-paths.ts';
import { guide, instructions, notSupportedThere, probeCgroup, read } from './guide-words.ts';
import type { PlatformGuide } from './platform-guide.ts';

const gcpDns = '`dnsConfig.nameservers: [169.254.169.254]` on Deployment tigera-operator.';

export const gkeGuide: PlatformGuide = {
  id: 'gke',
  kind: 'gke',
  title: 'GKE',
  tell: 'Labels `cloud.google.com/gke-*` on nodes.',
  ebpf: 'not supported',
  because: `${notSupportedThere} Its CNI plugin does not go with it.`,
  endpoint: {
    host: 'the server in the administrator’s kubeconfig',
    port: 'as there',
    stable: 'Not described: eBPF mode is not supported there.',
  },
  proxy: { runsAs: 'static pods, which the provider writes', off: instructions('gke') },
  createFlags: [],
  flexVolumePath: flexVolumePaths.gke,
  cni: cniPaths.gke,
  cgroupPath: probeCgroup,
  provider: { value: 'GKE', by: 'detected' },
  dns: gcpDns,
  notes: [
    {
      text: 'Operators before 1.43 take a cluster for GKE as soon as anybody installs API group networking.gke.io, and then set GKE’s CNI: look at the detected provider.',
      source: 'calico.md §3.1; calico.md §13 no. 23',
    },
  ],
  source: `spec › Limits; ${guide}; calico.md §2.1; calico.md §9; operations.md › operator.dns`,
  read,
};
