import { cniPaths, flexVolumePaths } from '../../objects/operator-paths.ts';
import { agentDefault, guide, instructions, notSupportedThere, ownDns, read } from './guide-words.ts';
import type { PlatformGuide } from './platform-guide.ts';

export const rkeGuide: PlatformGuide = {
  id: 'rke',
  kind: 'rke',
  title: 'RKE1',
  tell: 'Annotation rke.cattle.io/internal-ip on nodes, or ConfigMap kube-system/full-cluster-state.',
  ebpf: 'not supported',
  because: `${notSupportedThere} It has no stable address for the API server.`,
  endpoint: {
    host: 'the server in the administrator’s kubeconfig, or the one API server',
    port: 'as there',
    stable: 'Only with a load balancer in front.',
  },
  proxy: {
    runsAs: 'a container outside of Kubernetes, on each node',
    off: instructions('rke'),
  },
  createFlags: ['network:\n  plugin: none'],
  flexVolumePath: flexVolumePaths.other,
  cni: cniPaths.other,
  cgroupPath: agentDefault,
  provider: { value: '', by: 'none' },
  dns: ownDns,
  notes: [
    {
      text: 'Calico’s guide says that it can be enabled later on a running cluster; the specification says no.',
      source: `${guide}; spec › Limits`,
    },
    { text: 'On a read-only /usr the FlexVolume path must be set.', source: 'pain.md §1 C7; rancher/rancher#25681' },
  ],
  source: `spec › Limits; ${guide}; calico.md §2.1; https://docs.tigera.io/calico/latest/getting-started/kubernetes/rancher`,
  read,
};
