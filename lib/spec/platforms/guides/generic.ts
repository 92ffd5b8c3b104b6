import { cniPaths, flexVolumePaths } from '../../objects/operator-paths.ts';
import { agentDefault, bySelector, daemonSet, ownDns, read } from './guide-words.ts';
import type { PlatformGuide } from './platform-guide.ts';

export const genericGuide: PlatformGuide = {
  id: 'generic',
  kind: 'generic',
  title: 'Plain Kubernetes',
  tell: 'None of the signs, when everything that could show one was read.',
  ebpf: 'supported',
  because: 'A generic platform.',
  endpoint: {
    host: 'the load balancer’s address; with one control plane node a stable DNS record or a static address',
    port: 'as it was set up',
    stable: 'It must stay when API servers restart or are scaled.',
  },
  proxy: {
    runsAs: `mostly ${daemonSet}; a static pod or a process of the node is possible`,
    off: `${bySelector} A static pod or a process: only whoever set the nodes up can.`,
  },
  createFlags: { unknown: 'Ask whoever created the cluster how to leave the service proxy out.' },
  flexVolumePath: flexVolumePaths.other,
  cni: cniPaths.other,
  cgroupPath: agentDefault,
  provider: { value: '', by: 'none' },
  dns: ownDns,
  notes: [],
  source: 'spec › Per-platform values; spec › Rules for the address; calico.md §2.1; operations.md › operator.dns',
  read,
};
