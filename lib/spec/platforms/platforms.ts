import type { PlatformKind } from '../choices.ts';

/** Sources of an address for the endpoint, best first; `lib/facts/endpoint/endpoint-suggestion.ts` reads them. */
export type EndpointSource =
  /** Every node runs a reverse proxy of this name (spec › Per-platform values, MKE). */
  | 'proxy-local'
  /** `api.<cluster_name>.<base_domain>` from OpenShift's Infrastructure. */
  | 'openshift-infrastructure'
  /** `api.internal.<clustername>`, which kOps makes for the nodes. */
  | 'kops-internal'
  /** `controlPlaneEndpoint` in kubeadm's ConfigMap. */
  | 'kubeadm-endpoint'
  /** The address for joining nodes: kube-public/ConfigMap/cluster-info. */
  | 'cluster-info'
  /** The server in kube-proxy's own kubeconfig: what every node uses already. */
  | 'kube-proxy-kubeconfig'
  /** The API server's service account issuer, which Talos derives from the cluster's endpoint. */
  | 'service-account-issuer'
  /** `--server` of k3s and RKE2 nodes: the fixed registration address. */
  | 'registration-address'
  /** The server in the administrator's kubeconfig: on managed Kubernetes the provider's name for the API. */
  | 'kubeconfig'
  /** The one API server's own address. */
  | 'single-api-server';

/** How a platform's service proxy is turned off (spec › States and transitions, operations.md › proxy.*). */
export type ProxyRemoval =
  | { readonly by: 'daemonset' }
  | { readonly by: 'openshift' }
  /** Only the administrator can do it. `text`: the instructions, verbatim. */
  | { readonly by: 'instructions'; readonly text: string }
  /** Only with Calico's CNI (spec › Limits); with the provider's CNI, the provider restores it. */
  | { readonly by: 'daemonset'; readonly onlyWithCni: 'Calico' };

export type Platform = {
  readonly kind: PlatformKind;
  readonly title: string;
  readonly ebpf:
    | { readonly supported: true; readonly note?: string }
    | { readonly supported: false; readonly because: string };
  readonly proxy: ProxyRemoval;
  /** kube-proxy runs inside the distribution's agent or as pods of it, so there is no DaemonSet to patch. */
  readonly proxyIsEmbedded: boolean;
  /** DNS server of the cloud for `operator.dns`; null: no cloud's own platform (see `clouds`). */
  readonly nameserver: string | null;
  readonly endpoint: readonly EndpointSource[];
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

const awsNameserver = '169.254.169.253';
const azureNameserver = '168.63.129.16';
const gcpNameserver = '169.254.169.254';

const onPremises: readonly EndpointSource[] = [
  'kubeadm-endpoint',
  'cluster-info',
  'kube-proxy-kubeconfig',
  'single-api-server',
  // With several API servers, no object names the load balancer in front of them.
  'kubeconfig',
];
const hosted: readonly EndpointSource[] = ['kube-proxy-kubeconfig', 'kubeconfig'];
const rancher: readonly EndpointSource[] = ['registration-address', 'single-api-server', 'kubeconfig'];
const unsupportedBecause = 'eBPF mode is not supported there (spec › Limits › Unsupported platforms)';
const read = '2026-11-21';

const platformRows: readonly Platform[] = [
  {
    kind: 'kubeadm',
    title: 'kubeadm',
    ebpf: { supported: true },
    proxy: { by: 'daemonset' },
    proxyIsEmbedded: false,
    nameserver: null,
    endpoint: onPremises,
    source: 'spec › Per-platform values',
    read,
  },
  {
    kind: 'kops',
    title: 'kOps',
    ebpf: { supported: true },
    proxy: {
      by: 'instructions',
      text: 'Set `kubeProxy.enabled: false` in the cluster spec (`kops edit cluster`), then `kops update cluster --yes` and `kops rolling-update cluster --yes`.',
    },
    proxyIsEmbedded: false,
    nameserver: null,
    endpoint: ['kops-internal'],
    source: 'spec › Per-platform values; operations.md › proxy.instructions',
    read,
  },
  {
    kind: 'openshift',
    title: 'OpenShift',
    ebpf: { supported: true },
    proxy: { by: 'openshift' },
    proxyIsEmbedded: false,
    nameserver: null,
    endpoint: ['openshift-infrastructure', 'kubeconfig'],
    source: 'spec › Per-platform values, States and transitions',
    read,
  },
  {
    kind: 'aks',
    title: 'Azure Kubernetes Service (AKS)',
    ebpf: {
      supported: true,
      note: 'With Azure CNI the service proxy cannot be disabled, and most of the gain is lost.',
    },
    proxy: { by: 'daemonset', onlyWithCni: 'Calico' },
    proxyIsEmbedded: false,
    nameserver: azureNameserver,
    endpoint: hosted,
    source: 'spec › Limits; operations.md › operator.dns',
    read,
  },
  {
    kind: 'eks',
    title: 'Amazon Elastic Kubernetes Service (EKS)',
    ebpf: { supported: true },
    proxy: { by: 'daemonset' },
    proxyIsEmbedded: false,
    nameserver: awsNameserver,
    endpoint: hosted,
    source: 'spec › Per-platform values; operations.md › operator.dns',
    read,
  },
  {
    kind: 'gke',
    title: 'Google Kubernetes Engine (GKE)',
    ebpf: { supported: false, because: unsupportedBecause },
    proxy: { by: 'instructions', text: 'GKE runs kube-proxy itself and puts it back; it cannot be disabled.' },
    proxyIsEmbedded: false,
    nameserver: gcpNameserver,
    endpoint: ['kubeconfig'],
    source: 'spec › Limits',
    read,
  },
  {
    kind: 'tkg',
    title: 'Tanzu Kubernetes Grid (TKG)',
    ebpf: { supported: false, because: unsupportedBecause },
    proxy: { by: 'daemonset' },
    proxyIsEmbedded: false,
    nameserver: null,
    endpoint: onPremises,
    source: 'spec › Limits',
    read,
  },
  {
    kind: 'rke',
    title: 'Rancher Kubernetes Engine 1 (RKE)',
    ebpf: { supported: false, because: unsupportedBecause },
    proxy: {
      by: 'instructions',
      text: 'RKE runs kube-proxy as a container outside of Kubernetes and starts it again; it cannot be disabled.',
    },
    proxyIsEmbedded: true,
    nameserver: null,
    endpoint: ['kubeconfig', 'single-api-server'],
    source: 'spec › Limits',
    read,
  },
  {
    kind: 'rke2',
    title: 'RKE2',
    ebpf: {
      supported: true,
      note: 'The service proxy is switched off in the configuration of every server, not through the API.',
    },
    proxy: {
      by: 'instructions',
      text: 'Add `disable-kube-proxy: true` to /etc/rancher/rke2/config.yaml on every server and restart `rke2-server` there, one server at a time; then restart `rke2-agent` on the agents.',
    },
    proxyIsEmbedded: true,
    nameserver: null,
    endpoint: rancher,
    source: 'operations.md › proxy.instructions; checks.md › platform.supported',
    read,
  },
  {
    kind: 'k3s',
    title: 'K3s',
    ebpf: {
      supported: true,
      note: 'The service proxy is switched off with a flag of every server, not through the API.',
    },
    proxy: {
      by: 'instructions',
      text: 'Start every server with `--disable-kube-proxy` (or `disable-kube-proxy: true` in /etc/rancher/k3s/config.yaml) and restart `k3s`, one server at a time; then restart `k3s-agent` on the agents.',
    },
    proxyIsEmbedded: true,
    nameserver: null,
    endpoint: rancher,
    source: 'operations.md › proxy.instructions; checks.md › platform.supported',
    read,
  },
  {
    kind: 'mke',
    title: 'Mirantis Kubernetes Engine (MKE)',
    ebpf: { supported: true },
    proxy: {
      by: 'instructions',
      text: 'Install or upgrade MKE with `--kube-proxy-mode=disabled --kube-default-drop-masq-bits`.',
    },
    proxyIsEmbedded: true,
    nameserver: null,
    endpoint: ['proxy-local'],
    source: 'spec › Per-platform values, Endpoints',
    read,
  },
  {
    kind: 'kind',
    title: 'kind',
    ebpf: { supported: true },
    proxy: { by: 'daemonset' },
    proxyIsEmbedded: false,
    nameserver: null,
    endpoint: onPremises,
    source: 'observed: kubeadm underneath; calico.md §3.1',
    read,
  },
  {
    kind: 'talos',
    title: 'Talos Linux',
    ebpf: { supported: true },
    proxy: {
      by: 'instructions',
      text: 'Set `cluster.proxy.disabled: true` in the machine configuration of the control plane nodes (`talosctl patch machineconfig`), then delete DaemonSet kube-system/kube-proxy.',
    },
    proxyIsEmbedded: false,
    nameserver: null,
    endpoint: ['service-account-issuer', 'kube-proxy-kubeconfig', 'kubeconfig', 'single-api-server'],
    source: 'operations.md › proxy.instructions',
    read,
  },
  {
    kind: 'generic',
    title: 'Kubernetes',
    ebpf: { supported: true },
    proxy: { by: 'daemonset' },
    proxyIsEmbedded: false,
    nameserver: null,
    endpoint: onPremises,
    source: 'spec › Per-platform values',
    read,
  },
];

export const platforms: Readonly<Record<PlatformKind, Platform>> = Object.fromEntries(
  platformRows.map((row) => [row.kind, row]),
) as Record<PlatformKind, Platform>;

const dnsSource = 'operations.md › operator.dns';
const signSource = 'observed: what its cloud controller writes';

/** Whether the provider runs the control plane, whose machines users cannot access. */
export function isHosted(kind: PlatformKind): boolean {
  return kind === 'aks' || kind === 'eks' || kind === 'gke';
}

/** Clouds by the prefix of their nodes' providerID: whether addresses may change on a restart, and a DNS server that works without the CNI. */
export const clouds = [
  { providerID: 'aws://', title: 'AWS', nameserver: awsNameserver, source: `spec › Endpoints; ${dnsSource}`, read },
  { providerID: 'azure://', title: 'Azure', nameserver: azureNameserver, source: dnsSource, read },
  { providerID: 'gce://', title: 'Google Cloud', nameserver: gcpNameserver, source: dnsSource, read },
  { providerID: 'openstack://', title: 'OpenStack', nameserver: null, source: signSource, read },
  { providerID: 'vsphere://', title: 'vSphere', nameserver: null, source: signSource, read },
  { providerID: 'digitalocean://', title: 'DigitalOcean', nameserver: null, source: signSource, read },
  { providerID: 'hcloud://', title: 'Hetzner Cloud', nameserver: null, source: signSource, read },
  { providerID: 'ibm://', title: 'IBM Cloud', nameserver: null, source: signSource, read },
  { providerID: 'ocid1.', title: 'Oracle Cloud', nameserver: gcpNameserver, source: signSource, read },
] as const;
export type Cloud = (typeof clouds)[number];

export function cloudOf(providerID: string | null): Cloud | null {
  return clouds.find((cloud) => providerID?.startsWith(cloud.providerID)) ?? null;
}

/**
 * The DNS server of the platform or its cloud that every node reaches without the cluster's network; null: use the node's own. Null with hybrid nodes of EKS, which
 * are outside of AWS and cannot reach its resolver, because the operator may be scheduled on one.
 */
export function resolverFor(
  kind: PlatformKind,
  nodes: readonly { readonly providerID: string | null; readonly computeType: string | null }[],
): string | null {
  if (nodes.some(({ computeType }) => computeType === 'hybrid')) return null;
  const ofClouds = nodes.map(({ providerID }) => cloudOf(providerID)?.nameserver ?? null);
  return platforms[kind].nameserver ?? ofClouds.find((one) => one !== null) ?? null;
}
