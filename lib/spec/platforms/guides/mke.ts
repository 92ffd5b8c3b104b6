import { cniPaths, flexVolumePaths } from '../../objects/operator-paths.ts';
import { agentDefault, instructions, read } from './guide-words.ts';
import type { PlatformGuide } from './platform-guide.ts';

export const mkeGuide: PlatformGuide = {
  id: 'mke',
  kind: 'mke',
  title: 'MKE',
  tell: 'Labels `com.docker.ucp*` on nodes.',
  ebpf: 'supported',
  because: 'Named in the specification.',
  endpoint: {
    host: '`proxy.local`',
    port: '6444',
    stable: 'A reverse proxy on every node knows all API servers.',
  },
  proxy: {
    runsAs: 'as a part of MKE, on each node: there is no DaemonSet to patch',
    off: instructions('mke'),
  },
  createFlags: ['--kube-proxy-mode=disabled', '--kube-default-drop-masq-bits'],
  flexVolumePath: flexVolumePaths.other,
  cni: cniPaths.other,
  cgroupPath: agentDefault,
  provider: { value: 'DockerEnterprise', by: 'detected' },
  dns: 'None is needed: `proxy.local` is known on every node, and is handed to pods on the host network only.',
  notes: [
    {
      text: 'In eBPF mode vxlanPort must be 8472, which the operator sets only where nothing is set: a cluster that comes from the standard data plane keeps 4789. Fix it by hand.',
      source: 'calico.md §3.5; calico.md §13 no. 29',
    },
    {
      text: 'MKE 4k fixes the data plane when the cluster is made; it cannot be switched later.',
      source: 'https://docs.mirantis.com/mke4k/latest/configuration/container-network-interface/ebpf-dataplane-use',
    },
  ],
  source:
    'spec › Per-platform values; spec › Endpoints; checks.md › endpoint.resolvable; calico.md §2.1; calico.md §3.1; calico.md §3.2',
  read,
};
