import { cniPaths, flexVolumePaths } from '../../objects/operator-paths.ts';
import { agentDefault, bySelector, daemonSet, guide, read } from './guide-words.ts';
import type { PlatformGuide } from './platform-guide.ts';

const azureDns = '`dnsConfig.nameservers: [168.63.129.16]` on Deployment tigera-operator.';

export const aksGuides: readonly PlatformGuide[] = [
  {
    id: 'aks-azure-cni',
    kind: 'aks',
    title: 'AKS with Azure CNI',
    tell: 'Installation spec.cni.type AzureVNET, or the FELIX_INTERFACEPREFIX `azv`.',
    ebpf: 'supported with limits',
    because: 'The service proxy cannot be disabled, and eBPF’s gains in performance are lost.',
    endpoint: {
      host: 'the FQDN of the API server, as `kubectl cluster-info` prints it',
      port: '443',
      stable: 'The provider keeps the name.',
    },
    proxy: {
      runsAs: `${daemonSet}, which the provider’s add-on manager is expected to put back`,
      off: 'It cannot be: FelixConfiguration `bpfKubeProxyIptablesCleanupEnabled: false` before the switch, and another `bpfKubeProxyHealthzPort` than 10256.',
    },
    createFlags: {
      unknown:
        'We found none that removes the proxy. See the provider’s documentation of kube-proxy configuration for this CNI.',
    },
    flexVolumePath: flexVolumePaths.aks,
    cni: cniPaths.other,
    cgroupPath: agentDefault,
    provider: { value: 'AKS', by: 'set by hand' },
    dns: azureDns,
    notes: [
      { text: 'The operator never detects AKS by itself: the provider must be set.', source: 'calico.md §3.1' },
      {
        text: 'A managed Calico leaves an ImageSet of its version, which stops another one: leave such an installation to AKS.',
        source: 'Azure/AKS#4594; pain.md §1 H11',
      },
      {
        text: 'The 18.04 image of Ubuntu on AKS has a kernel recent enough.',
        source: 'spec › Limits; product.md › Names (cloud A is AKS)',
      },
      {
        text: 'The shipped custom resources are not valid with this CNI: the encapsulation must be None.',
        source: 'calico.md §13 no. 7',
      },
    ],
    source: 'spec › Limits; spec › Per-platform values; calico.md §2.1; pain.md §1 B2; operations.md › operator.dns',
    read,
  },
  {
    id: 'aks-own-cni',
    kind: 'aks',
    title: 'AKS with Calico’s own CNI',
    tell: 'Installation spec.cni.type Calico; the cluster was made without a network plugin.',
    ebpf: 'supported',
    because: 'A hosted service with the product’s own CNI.',
    endpoint: {
      host: 'the FQDN of the API server, as `kubectl cluster-info` prints it',
      port: '443',
      stable: 'The provider keeps the name.',
    },
    proxy: {
      runsAs: daemonSet,
      off: `${bySelector} Where the add-on manager’s label is on it, the provider puts it back: look again.`,
    },
    createFlags: ['az aks create --network-plugin none'],
    flexVolumePath: flexVolumePaths.aks,
    cni: cniPaths.other,
    cgroupPath: agentDefault,
    provider: { value: 'AKS', by: 'set by hand' },
    dns: azureDns,
    notes: [
      { text: 'The operator never detects AKS by itself: the provider must be set.', source: 'calico.md §3.1' },
      {
        text: 'Calico’s guide says of AKS as a whole that kube-proxy cannot be disabled; the specification says it of the provider’s CNI only. Look whether it stays away.',
        source: `${guide}; spec › Limits`,
      },
      {
        text: 'With kubernetesProvider AKS the operator takes Azure’s CNI unless spec.cni.type says Calico.',
        source: 'calico.md §2.1',
      },
    ],
    source:
      'spec › Limits; spec › Per-platform values; https://learn.microsoft.com/en-US/azure/aks/use-byo-cni; calico.md §2.1; calico.md §3.6',
    read,
  },
];
