import type { PlatformKind } from '../choices.ts';
import { cniPaths, flexVolumePaths } from '../objects/operator-paths.ts';
import type { Known } from '../unknown.ts';
import { platforms } from './platforms.ts';

/**
 * What an administrator must know about a platform, one row per setup; a kind of `platforms` can have several. `platforms` has what the product does by itself;
 * this has what the user must know, decide or do by hand.
 */
export type PlatformGuide = {
  readonly id: string;
  readonly kind: PlatformKind;
  readonly title: string;
  /** What distinguishes this setup. `platformSigns` has how the kind is recognised. */
  readonly tell: string;
  readonly ebpf: 'supported' | 'supported with limits' | 'not supported';
  readonly because: string;
  /** The API server's address that all nodes use, and why it stays the same (spec › Rules for the address). */
  readonly endpoint: { readonly host: string; readonly port: string; readonly stable: string };
  /** How the service proxy runs, and how to turn it off, or why that is impossible. */
  readonly proxy: { readonly runsAs: string; readonly off: string };
  /** Flags for creating the cluster, verbatim. */
  readonly createFlags: Known<readonly string[]>;
  /** The operator's default, or the value that must be set. */
  readonly flexVolumePath: Known<string>;
  readonly cni: { readonly bin: string; readonly conf: string };
  readonly cgroupPath: Known<string>;
  /** Installation spec.kubernetesProvider; `''`: none. */
  readonly provider: { readonly value: Provider; readonly by: 'detected' | 'set by hand' | 'none' };
  /** What prevents a deadlock between cluster DNS and a name as endpoint. */
  readonly dns: Known<string>;
  readonly notes: readonly { readonly text: string; readonly source: string }[];
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

/** The operator's enumeration (calico.md §2.1). */
export type Provider = '' | 'EKS' | 'GKE' | 'AKS' | 'OpenShift' | 'DockerEnterprise' | 'RKE2' | 'TKG' | 'Kind';

const read = '2026-11-21';

/** Calico's own guide to a new cluster in eBPF mode. */
const guide = 'tigera/docs calico/operations/ebpf/install.mdx';
const openshiftGuide = 'tigera/docs calico/getting-started/kubernetes/openshift/installation.mdx';

const daemonSet = 'DaemonSet kube-system/kube-proxy';
const bySelector =
  'A nodeSelector that no node has, `non-calico: "true"`, in the template of DaemonSet kube-system/kube-proxy; taking it away brings the proxy back.';
/** The instructions of `platforms`. */
function instructions(kind: PlatformKind): string {
  const { proxy } = platforms[kind];
  if (proxy.by !== 'instructions') throw new Error(`the proxy of ${kind} is not turned off by hand`);
  return proxy.text;
}
const withRelease = (path: string, field: string) => `${path} (${field}; the field exists from v3.30.4 and v3.31.0 on)`;
const agentDefault = '/run/calico/cgroup, the agent’s own; nothing is to be set where it can be written';
const probeCgroup = {
  unknown: 'Run a privileged pod on one node of each image: it makes the folder and mounts cgroup2 there.',
};
const ownDns =
  'An address, or a name that the node’s own resolver knows; `dnsPolicy: Default`, or `dnsConfig.nameservers` with resolvers of the site, on Deployment tigera-operator.';
const awsDns = '`dnsConfig.nameservers: [169.254.169.253]` on Deployment tigera-operator.';
const azureDns = '`dnsConfig.nameservers: [168.63.129.16]` on Deployment tigera-operator.';
const gcpDns = '`dnsConfig.nameservers: [169.254.169.254]` on Deployment tigera-operator.';
const notSupportedThere = 'eBPF mode is not supported there, although operator and agent accept it.';

const kubeadm = {
  kind: 'kubeadm',
  ebpf: 'supported',
  because: 'A generic platform.',
  proxy: { runsAs: daemonSet, off: bySelector },
  createFlags: ['kubeadm init --skip-phases=addon/kube-proxy'],
  flexVolumePath: flexVolumePaths.other,
  cni: cniPaths.other,
  cgroupPath: agentDefault,
  provider: { value: '', by: 'none' },
  dns: ownDns,
  source: 'spec › Per-platform values; spec › Endpoints; calico.md §2.1; operations.md › operator.dns',
  read,
} as const;

const comesBack = {
  text: 'A later `kubeadm upgrade` puts kube-proxy back as long as ConfigMap kube-system/kube-proxy exists: delete it, or skip the phase then too.',
  source: 'pain.md §1 B5',
};
const automatic = {
  text: 'From v3.31 on the operator can do it all (`bpfNetworkBootstrap` and `kubeProxyManagement`), where kube-proxy is a plain DaemonSet and no endpoint ConfigMap exists. A cluster made without kube-proxy must leave `kubeProxyManagement` out, else TigeraStatus kubeproxy-monitor stays Degraded.',
  source: 'calico.md §3.3; calico.md §13 no. 6',
};

const eks = {
  kind: 'eks',
  ebpf: 'supported',
  because: 'A hosted service whose proxy can be disabled.',
  endpoint: {
    host: 'the name of the provider’s load balancer in front of the API server, as `kubectl cluster-info` prints it',
    port: '443',
    stable: 'The provider keeps the name and moves the addresses behind it.',
  },
  proxy: { runsAs: daemonSet, off: bySelector },
  flexVolumePath: flexVolumePaths.other,
  cni: cniPaths.other,
  cgroupPath: agentDefault,
  provider: { value: 'EKS', by: 'detected' },
  dns: awsDns,
  source: 'spec › Per-platform values; spec › Limits; calico.md §2.1; calico.md §3.1; operations.md › operator.dns',
  read,
} as const;
const eksFlags = {
  unknown:
    'None is needed to turn kube-proxy off later. To leave it out of a new cluster, see the provider’s documentation of the kube-proxy add-on.',
};
const bottlerocketDns = {
  text: 'A name as endpoint and an operator on the host network: the operator asks a cluster DNS that needs the network which the operator is to install.',
  source: 'pain.md §1 A2',
};

const rancher2 = {
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

export const platformGuides: readonly PlatformGuide[] = [
  {
    ...kubeadm,
    id: 'kubeadm-ha',
    title: 'kubeadm, several control plane nodes',
    tell: 'More than one address in default/EndpointSlice of `kubernetes`.',
    endpoint: {
      host: 'the load balancer’s address',
      port: 'that of the load balancer, mostly 6443',
      stable: 'It stays when API servers restart or are scaled.',
    },
    notes: [
      comesBack,
      automatic,
      {
        text: 'kube-vip as that load balancer must itself use the local API server, else neither starts.',
        source: 'pain.md §1 A9',
      },
    ],
  },
  {
    ...kubeadm,
    id: 'kubeadm-single',
    title: 'kubeadm, one control plane node',
    tell: 'One address in default/EndpointSlice of `kubernetes`.',
    endpoint: {
      host: 'a stable DNS record of the node, or its static address',
      port: '6443, unless another was given',
      stable:
        'Only if the address is static: a dynamic one (a cloud’s private address) may change on restart and cuts the data plane off.',
    },
    notes: [comesBack, automatic],
  },
  {
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
  },
  {
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
        source: openshiftGuide,
      },
      { text: 'The agent’s health port is 9199 there, not 9099.', source: 'calico.md §3.4' },
    ],
    source: `spec › Per-platform values; spec › States and transitions; ${openshiftGuide}; calico.md §1.2; calico.md §2.1; checks.md › operator.dns-deadlock`,
    read,
  },
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
  {
    ...eks,
    id: 'eks-vpc-cni',
    title: 'EKS with the Amazon VPC CNI',
    tell: 'DaemonSet kube-system/aws-node; Installation spec.cni.type AmazonVPC.',
    createFlags: eksFlags,
    notes: [
      {
        text: 'The shipped custom resources are not valid with this CNI: the encapsulation must be None.',
        source: 'calico.md §13 no. 7',
      },
      { text: 'An overlay is not needed, which is the faster way.', source: 'spec › Limits' },
      bottlerocketDns,
    ],
  },
  {
    ...eks,
    id: 'eks-own-cni',
    title: 'EKS with Calico’s own CNI',
    tell: 'No DaemonSet kube-system/aws-node; Installation spec.cni.type Calico.',
    createFlags: ['eksctl create cluster --without-nodegroup', 'kubectl delete daemonset -n kube-system aws-node'],
    notes: [
      {
        text: 'As long as aws-node exists the operator takes AmazonVPC: it goes before the custom resources come.',
        source: 'calico.md §2.1; operations.md › cni.remove-aws-node',
      },
      { text: 'Without a pool of its own the operator makes 172.16.0.0/16 with VXLAN.', source: 'calico.md §2.3' },
      bottlerocketDns,
    ],
    source: `${eks.source}; https://docs.tigera.io/calico/latest/getting-started/kubernetes/managed-public-cloud/eks; eksctl-io/eksctl#5891`,
  },
  {
    ...eks,
    id: 'eks-amazon-linux',
    title: 'EKS nodes with Amazon Linux',
    tell: 'osImage begins with `Amazon Linux`.',
    createFlags: eksFlags,
    notes: [
      { text: 'The default image has a kernel recent enough.', source: 'spec › Limits' },
      {
        text: 'From kernel 6.12.53 on, releases before v3.29.7, v3.30.5 and v3.31.3 crash: upgrade Calico before the image.',
        source: 'awslabs/amazon-eks-ami#2511; pain.md §2 V2',
      },
    ],
  },
  {
    ...eks,
    id: 'eks-bottlerocket',
    title: 'EKS nodes with Bottlerocket',
    tell: 'osImage begins with `Bottlerocket OS`.',
    createFlags: eksFlags,
    flexVolumePath:
      '`/var/lib/kubelet/plugins/` must be set: /usr cannot be written. The specification has no slash at the end; the operator appends without one, so write it.',
    cgroupPath: probeCgroup,
    notes: [
      { text: 'The image has a kernel recent enough.', source: 'spec › Limits' },
      { text: 'Kernel 6.1 needs v3.27 or later.', source: 'projectcalico/calico#8001; pain.md §1 C4' },
    ],
    source: `${eks.source}; spec › Installation resource; calico.md §13 no. 14; pain.md §1 C7`,
  },
  {
    ...eks,
    id: 'eks-ubuntu',
    title: 'EKS nodes with Ubuntu',
    tell: 'osImage begins with `Ubuntu`.',
    createFlags: eksFlags,
    notes: [
      {
        text: 'From 20.04 on. The 18.04 image of this cloud has a kernel that is too old.',
        source: 'spec › Limits; product.md › Names (cloud B is EKS)',
      },
    ],
  },
  {
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
  },
  {
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
  },
  {
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
  },
  {
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
  },
  {
    ...rancher2,
    id: 'k3s',
    kind: 'k3s',
    title: 'K3s',
    tell: '`+k3s` in versions.',
    proxy: {
      runsAs: 'a part of the k3s process',
      off: instructions('k3s'),
    },
    createFlags: ['--flannel-backend=none', '--disable-network-policy', '--disable-kube-proxy'],
    flexVolumePath: flexVolumePaths.other,
    provider: { value: '', by: 'none' },
    notes: [
      {
        text: 'Made with --flannel-backend=none, its containerd looks for CNI plugins where the operator puts them. With its own flannel it looks in folders of its own, under /var/lib/rancher/k3s.',
        source: 'k3s-io/k3s pkg/agent/templates/templates_linux.go, read 2026-11-23',
      },
    ],
    source:
      'checks.md › platform.supported; operations.md › proxy.instructions; https://k3d.io/v5.5.0/usage/advanced/calico; calico.md §2.1; calico.md §9',
  },
  {
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
  },
  {
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
  },
  {
    id: 'talos',
    kind: 'talos',
    title: 'Talos Linux',
    tell: 'osImage begins with `Talos`.',
    ebpf: 'supported',
    because: 'A generic platform with an immutable system.',
    endpoint: {
      host: 'the cluster’s endpoint: a load balancer, a record, or a virtual address; never KubePrism (`localhost:7445`)',
      port: '6443',
      stable: 'The endpoint that was given to `talosctl gen config`.',
    },
    proxy: {
      runsAs: 'DaemonSet kube-system/kube-proxy, written from the machine configuration',
      off: instructions('talos'),
    },
    createFlags: ['cluster:\n  network:\n    cni:\n      name: none\n  proxy:\n    disabled: true'],
    flexVolumePath: {
      unknown:
        'The operator’s default lies below /usr, which cannot be written. Set `None`, or a writable folder that the kubelet reads: its flag `--volume-plugin-dir` names it.',
    },
    cni: cniPaths.other,
    cgroupPath: withRelease('/sys/fs/cgroup', 'FelixConfiguration cgroupV2Path'),
    provider: { value: '', by: 'none' },
    dns: ownDns,
    notes: [
      {
        text: 'Its guide sets Installation kubeletVolumePluginPath: None.',
        source: 'https://docs.siderolabs.com/kubernetes-guides/cni/deploy-calico',
      },
      {
        text: 'Its containerd is given no CNI folders, so that it looks where the operator puts plugins and configuration; below /opt and /etc/cni its read-only system can be written.',
        source:
          'siderolabs/talos hack/cri-plugin.part and pkg/machinery/constants/constants.go (Overlays), read 2026-11-24',
      },
      { text: 'KubePrism is not listening on every node after each upgrade of the system.', source: 'pain.md §1 A13' },
      {
        text: 'In lockdown the kernel log fills with refusals before v3.31.7; nothing fails.',
        source: 'pain.md §2 V22',
      },
    ],
    source:
      'operations.md › proxy.instructions; https://docs.siderolabs.com/kubernetes-guides/cni/deploy-calico; https://docs.siderolabs.com/kubernetes-guides/cni/deploying-cilium; calico.md §2.1; checks.md › endpoint.not-local',
    read,
  },
  {
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
  },
  {
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
  },
];
