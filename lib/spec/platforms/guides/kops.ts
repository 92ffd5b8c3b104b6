import { cniPaths, flexVolumePaths } from '../../objects/operator-paths.ts';
import { agentDefault, awsDns, instructions, read } from './guide-words.ts';
import type { PlatformGuide } from './platform-guide.ts';

export const kopsGuide: PlatformGuide = {
  id: 'kops',
  kind: 'kops',
  title: 'kOps',
  tell: 'Labels of its own on nodes; the providerID is the cloud’s.',
  ebpf: 'supported',
  because: 'Named in the specification.',
  endpoint: {
    host: '`api.internal.<clustername>`',
    port: '443, or what the API server’s pods listen on',
    stable: 'kOps keeps the record up to date.',
  },
  proxy: {
    runsAs: 'a static pod on each node, which kOps writes',
    off: instructions('kops'),
  },
  createFlags: ['spec:\n  kubeProxy:\n    enabled: false'],
  flexVolumePath: flexVolumePaths.other,
  cni: cniPaths.other,
  cgroupPath: agentDefault,
  provider: { value: '', by: 'none' },
  dns: `${awsDns} On another cloud, that cloud’s server.`,
  notes: [
    {
      text: 'The name of a gossip cluster (`.k8s.local`) stands in the hosts files of nodes only; pods do not resolve it.',
      source: 'pain.md §1 A4',
    },
    {
      text: 'eBPF and kube-proxy were two independent switches of kOps until 2026: see to it that both are set.',
      source: 'pain.md §5 kOps',
    },
  ],
  source:
    'spec › Per-platform values; spec › Endpoints; operations.md › proxy.instructions; tigera/docs calico/operations/ebpf/install.mdx; observed: kOps nodes run kube-proxy as a static pod; calico.md §2.1',
  read,
};
