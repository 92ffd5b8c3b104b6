import { cniPaths, flexVolumePaths } from '../../objects/operator-paths.ts';
import { agentDefault, bySelector, daemonSet, read } from './guide-words.ts';
import { comesBack } from './kubeadm.ts';
import type { PlatformGuide } from './platform-guide.ts';

export const kindGuide: PlatformGuide = {
  id: 'kind',
  kind: 'kind',
  title: 'kind',
  tell: 'providerID `kind://`.',
  ebpf: 'supported',
  because: 'kubeadm underneath; for trying things out.',
  endpoint: {
    host: 'the name of the control plane’s container (`<cluster>-control-plane`), or of kind’s load balancer',
    port: '6443',
    stable: 'The name stays as long as the container does; its address does not.',
  },
  proxy: { runsAs: daemonSet, off: bySelector },
  createFlags: ['networking:\n  disableDefaultCNI: true\n  kubeProxyMode: none'],
  flexVolumePath: flexVolumePaths.other,
  cni: cniPaths.other,
  cgroupPath: agentDefault,
  provider: { value: 'Kind', by: 'detected' },
  dns: 'The name resolves by the container runtime’s DNS on nodes; `dnsPolicy: Default` on Deployment tigera-operator.',
  notes: [comesBack],
  source:
    'observed: kubeadm underneath; kubernetes-sigs/kind commit 6cfdd79363afd48c44ff534c306a902fbbcf6b79; calico.md §2.1; calico.md §3.1',
  read,
};
