import type { EndpointSource } from './platforms/platforms.ts';

/** Sources of the API server's address, and why their address stays valid (spec › Rules for the address). */
export type EndpointSourceRow = {
  readonly id: EndpointSource;
  readonly where: string;
  readonly doubt: string;
  readonly source: string;
  readonly read: string;
};

const read = '2026-11-21';

export const endpointSources: readonly EndpointSourceRow[] = [
  {
    id: 'proxy-local',
    where: '`proxy.local`, port 6444: a reverse proxy that MKE runs on every node',
    doubt: 'Handed to pods on the host network only; others get the ClusterIP.',
    source: 'spec › Per-platform values; calico.md §3.2',
    read,
  },
  {
    id: 'openshift-infrastructure',
    where: 'status.apiServerURL of infrastructures.config.openshift.io/cluster: `api.<cluster_name>.<base_domain>`',
    doubt: 'The nodes themselves use the internal name, `api-int.…`.',
    source: 'spec › Per-platform values',
    read,
  },
  {
    id: 'kops-internal',
    where:
      '`api.internal.<clustername>`; the name of the cluster stands in the configuration of kops-controller and in flags of the control plane',
    doubt: 'A gossip cluster (`.k8s.local`) has this name in the hosts files of its nodes only.',
    source: 'spec › Per-platform values; pain.md §1 A4',
    read,
  },
  {
    id: 'kubeadm-endpoint',
    where: 'controlPlaneEndpoint in kube-system/ConfigMap/kubeadm-config',
    doubt: 'Right only if it is a load balancer or a stable name, not one control plane node.',
    source: 'spec › Rules for the address; pain.md §1 A7',
    read,
  },
  {
    id: 'cluster-info',
    where: 'the server in kube-public/ConfigMap/cluster-info, which joining nodes are told',
    doubt: 'What was right when the cluster was made need not be right today.',
    source: 'spec › Rules for the address',
    read,
  },
  {
    id: 'kube-proxy-kubeconfig',
    where: "the server in kube-proxy's own kubeconfig (kube-system/ConfigMap/kube-proxy)",
    doubt: 'None beyond that of any name: it must resolve without cluster DNS.',
    source: 'observed: every node reaches the API server by it already; pain.md §1 A3',
    read,
  },
  {
    id: 'service-account-issuer',
    where: "the API server's `--service-account-issuer`, which Talos makes from the cluster's endpoint",
    doubt: 'An issuer of its own choosing need not be an address of the API server.',
    source: 'observed: flags of kube-apiserver pods on Talos',
    read,
  },
  {
    id: 'registration-address',
    where: '`--server` of K3s and RKE2 nodes: the fixed registration address',
    doubt:
      'It is one server unless a load balancer was put in front. RKE2’s nodes register at port 9345; the API server listens on 6443.',
    source: 'https://docs.rke2.io/install/ha',
    read,
  },
  {
    id: 'kubeconfig',
    where:
      "the server in the administrator's kubeconfig, unless it is local or has a path: on managed Kubernetes the provider's name for the API",
    doubt: 'A tunnel or a name of the administrator’s own network need not be reachable from the nodes.',
    source: 'spec › Per-platform values',
    read,
  },
  {
    id: 'single-api-server',
    where: 'the address of the only API server (default/EndpointSlice of `kubernetes`)',
    doubt: 'Only with a static address or a stable record: a dynamic one changes on restart.',
    source: 'spec › Rules for the address; pain.md §1 A7',
    read,
  },
];
