/** Another product that connects pods, known by its DaemonSet. */
export type OtherNetwork = {
  readonly product: string;
  /** Names of its DaemonSets; one that ends in `*` is the beginning of a name. */
  readonly daemonSets: readonly string[];
  /** Only in this namespace, where the name alone says little. */
  readonly namespace?: string;
  /** Installation `spec.cni.type` with which Calico works beside it, for policy alone; null: only one of the two can be there. */
  readonly besides: 'AmazonVPC' | 'AzureVNET' | 'GKE' | null;
  readonly source: string;
  readonly read: string;
};

const read = '2026-11-21';
const published = 'observed: its published manifest';

/** What calico.md §9 (row *None*) asks to be looked for before a fresh install is offered. */
export const otherNetworks: readonly OtherNetwork[] = [
  { product: 'Amazon VPC CNI', daemonSets: ['aws-node'], besides: 'AmazonVPC', source: 'calico.md §2.1', read },
  { product: 'Azure CNI', daemonSets: ['azure-cns', 'azure-cni*'], besides: 'AzureVNET', source: 'calico.md §9', read },
  { product: 'Cilium', daemonSets: ['cilium'], besides: null, source: 'calico.md §9', read },
  { product: 'GKE Dataplane V2', daemonSets: ['anetd'], besides: null, source: 'observed: GKE nodes', read },
  {
    product: 'Flannel',
    daemonSets: ['kube-flannel-ds*', 'kube-flannel'],
    besides: null,
    source: 'calico.md §9',
    read,
  },
  { product: 'Weave Net', daemonSets: ['weave-net'], besides: null, source: published, read },
  { product: 'kube-router', daemonSets: ['kube-router'], besides: null, source: published, read },
  { product: 'Antrea', daemonSets: ['antrea-agent'], besides: null, source: published, read },
  { product: 'OVN-Kubernetes', daemonSets: ['ovnkube-node*'], besides: null, source: published, read },
  {
    product: 'OpenShift SDN',
    daemonSets: ['sdn'],
    namespace: 'openshift-sdn',
    besides: null,
    source: 'observed: OpenShift up to 4.14',
    read,
  },
  { product: 'Kube-OVN', daemonSets: ['kube-ovn-cni'], besides: null, source: published, read },
  { product: 'Terway', daemonSets: ['terway*'], besides: null, source: published, read },
  { product: 'kindnet', daemonSets: ['kindnet'], besides: null, source: 'observed: kind’s own network', read },
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
