import { cniPaths, flexVolumePaths } from '../../objects/operator-paths.ts';
import { probeCgroup, read } from './guide-words.ts';
import type { PlatformGuide } from './platform-guide.ts';

const calicosGuide = 'tigera/docs calico/getting-started/kubernetes/openshift/installation.mdx';

export const openshiftGuide: PlatformGuide = {
  id: 'openshift',
  kind: 'openshift',
  title: 'OpenShift',
  tell: 'API group config.openshift.io.',
  ebpf: 'supported',
  because: 'Named in the specification.',
  endpoint: {
    host: '`api.<cluster_name>.<base_domain>`',
    port: '6443',
    stable: 'The load balancer that the installation requires.',
  },
  proxy: {
    runsAs: 'DaemonSet openshift-kube-proxy/openshift-kube-proxy, by the network operator',
    off: '`spec.deployKubeProxy: false` on networks.operator.openshift.io/cluster; `true` brings it back.',
  },
  createFlags: [
    'openshift-install create install-config',
    'networking:\n  networkType: Calico',
    'openshift-install create manifests',
  ],
  flexVolumePath: flexVolumePaths.openshift,
  cni: cniPaths.openshift,
  cgroupPath: probeCgroup,
  provider: { value: 'OpenShift', by: 'detected' },
  dns: 'Warned of for every goal. No server is the same everywhere: resolvers of the site in `dnsConfig.nameservers`, or `dnsPolicy: Default`.',
  notes: [
    {
      text: 'The release’s own bundle has eBPF on and a placeholder as API host: applied unedited, it breaks the operator’s own access.',
      source: 'calico.md §13 no. 17',
    },
    {
      text: 'The network type is set in install-config.yaml between the two commands; the release’s manifests go beside those that the second makes, before `openshift-install create cluster`.',
      source: calicosGuide,
    },
    { text: 'The agent’s health port is 9199 there, not 9099.', source: 'calico.md §3.4' },
  ],
  source: `spec › Per-platform values; spec › States and transitions; ${calicosGuide}; calico.md §1.2; calico.md §2.1; checks.md › operator.dns-deadlock`,
  read,
};
