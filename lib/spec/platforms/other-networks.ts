/** Another product that connects pods, filters their packets or serves Services, known by its DaemonSet. */
export type OtherNetwork = {
  readonly product: string;
  /** Names of its DaemonSets; `*` at the end matches any continuation. */
  readonly daemonSets: readonly string[];
  /** Its namespace, if the name alone is not specific. */
  readonly namespace?: string;
  /** Installation `spec.cni.type` with which Calico works beside it for policy only; null: they cannot coexist. */
  readonly besides: 'AmazonVPC' | 'AzureVNET' | 'GKE' | null;
  /** It serves Services in place of kube-proxy; `set`: depends on its settings; null: not examined. */
  readonly serves: boolean | 'set' | null;
  /** It attaches eBPF programs at the same hooks as Calico's eBPF mode; `set`: depends on its settings. */
  readonly attaches?: true | 'set';
  readonly source: string;
  readonly read: string;
};

const read = '2026-11-22';
const published = 'observed: its published manifest';

/** Products to look for before a new installation is offered (calico.md §9, row *None*). */
export const otherNetworks: readonly OtherNetwork[] = [
  {
    product: 'Amazon VPC CNI',
    daemonSets: ['aws-node'],
    besides: 'AmazonVPC',
    serves: false,
    attaches: 'set',
    source:
      'calico.md §2.1; https://docs.tigera.io/calico/latest/getting-started/kubernetes/managed-public-cloud/eks; aws/aws-network-policy-agent README.md; tigera/docs#1612',
    read: '2026-11-23',
  },
  {
    product: 'Azure CNI',
    daemonSets: ['azure-cns', 'azure-cni*'],
    besides: 'AzureVNET',
    serves: false,
    source: 'calico.md §9',
    read,
  },
  {
    product: 'Cilium',
    daemonSets: ['cilium'],
    besides: null,
    serves: 'set',
    attaches: true,
    source:
      'calico.md §9; https://docs.cilium.io/en/stable/network/kubernetes/kubeproxy-free/; https://docs.cilium.io/en/latest/installation/cni-chaining/; https://docs.cilium.io/en/stable/configuration/per-node-config/',
    read: '2026-11-23',
  },
  {
    product: 'GKE Dataplane V2',
    daemonSets: ['anetd'],
    besides: null,
    serves: true,
    attaches: true,
    source: 'observed: GKE nodes',
    read,
  },
  {
    product: 'Flannel',
    daemonSets: ['kube-flannel-ds*', 'kube-flannel'],
    besides: null,
    serves: false,
    source: 'calico.md §9',
    read,
  },
  { product: 'Weave Net', daemonSets: ['weave-net'], besides: null, serves: false, source: published, read },
  {
    product: 'kube-router',
    daemonSets: ['kube-router'],
    besides: null,
    serves: 'set',
    source: 'cloudnativelabs/kube-router docs/user-guide.md',
    read,
  },
  { product: 'Antrea', daemonSets: ['antrea-agent'], besides: null, serves: null, source: published, read },
  { product: 'OVN-Kubernetes', daemonSets: ['ovnkube-node*'], besides: null, serves: true, source: published, read },
  {
    product: 'OpenShift SDN',
    daemonSets: ['sdn'],
    namespace: 'openshift-sdn',
    besides: null,
    serves: true,
    source: 'observed: OpenShift up to 4.14',
    read,
  },
  { product: 'Kube-OVN', daemonSets: ['kube-ovn-cni'], besides: null, serves: null, source: published, read },
  { product: 'Terway', daemonSets: ['terway*'], besides: null, serves: null, source: published, read },
  {
    product: 'kindnet',
    daemonSets: ['kindnet'],
    besides: null,
    serves: false,
    source: 'observed: kind’s own network',
    read,
  },
];

/** The product that runs a DaemonSet of this name, or null. */
export function otherNetworkOf({ name, namespace }: { name: string; namespace: string | null }): OtherNetwork | null {
  return (
    otherNetworks.find(
      (row) =>
        (row.namespace === undefined || row.namespace === namespace) &&
        row.daemonSets.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one)),
    ) ?? null
  );
}
