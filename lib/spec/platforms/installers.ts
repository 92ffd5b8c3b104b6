import { remembered } from '../objects/remembered.ts';

/**
 * Tools that write Calico's manifest themselves, and again at their next run. There the switch is a setting of the tool, and its next run would revert a migration
 * to the operator.
 */
export type Installer = {
  readonly id: 'kops' | 'kubespray' | 'gardener' | 'k0s' | 'microk8s' | 'canal';
  readonly title: string;
  /** Its own way to eBPF; with `hasNoWay`, alternatives. */
  readonly steps: readonly string[];
  readonly hasNoWay?: true;
  /** Its own way to another release of Calico; absent: the manifest is applied as it was. */
  readonly upgrade?: string;
  /** The tool's own setting for kube-proxy's mode, which it writes again. */
  readonly proxyMode?: string;
  /** A command that shows kube-proxy's flags on a node where no process has that name. */
  readonly proxyFlags?: string;
  /** The service that always runs kube-proxy in the kubelet's process, where it cannot be turned off. */
  readonly proxyInKubelet?: string;
  /** A label of all nodes that it creates. */
  readonly nodeLabel?: { readonly key: string; readonly value: string };
  /** Matches the version of its kubelets. */
  readonly kubelet?: RegExp;
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

const read = '2026-11-22';

export const installers: readonly Installer[] = [
  {
    id: 'kops',
    title: 'kOps',
    steps: [
      'Set `networking.calico.bpfEnabled: true` and `kubeProxy.enabled: false` in the cluster spec (`kops edit cluster`).',
      'Roll it out with `kops update cluster --yes` and `kops rolling-update cluster --yes`.',
    ],
    upgrade:
      'Upgrade kOps, whose release brings that of Calico, and roll it out with `kops update cluster --yes` and `kops rolling-update cluster --yes`.',
    source: 'kubernetes/kops#10115',
    read,
  },
  {
    id: 'kubespray',
    title: 'kubespray',
    steps: [
      'Where kube-proxy runs in IPVS mode, set `kube_proxy_mode: iptables` first and run `cluster.yml`. Then clear what IPVS left on each node: `ipvsadm -C` and `ip link delete kube-ipvs0`. Calico does not.',
      'See that `loadbalancer_apiserver` is set in the inventory: without kube-proxy, Calico reaches the API servers there.',
      'Set `calico_bpf_enabled: true` and `calico_endpoint_to_host_action: ACCEPT`, which eBPF mode is tested with, and run `cluster.yml`.',
      'Once eBPF is active on every node, delete kube-proxy, which stays otherwise: `kubectl delete daemonset -n kube-system kube-proxy`. Set `kube_proxy_remove: true` with it, so that the next run does not bring it back.',
    ],
    upgrade:
      'Set `calico_version` in the inventory and run `upgrade-cluster.yml`: it takes only releases that it knows.',
    proxyMode:
      'Set `kube_proxy_mode: iptables` in the inventory of kubespray and run `cluster.yml`: changed here alone, its next run brings IPVS back.',
    source:
      'kubernetes-sigs/kubespray docs/CNI/calico.md; kubernetes-sigs/kubespray#8149; kubernetes-sigs/kubespray#11052',
    read: '2026-11-23',
  },
  {
    id: 'gardener',
    title: 'Gardener',
    steps: [
      'Set `spec.networking.providerConfig.ebpfDataplane.enabled: true` in the Shoot, and `overlay.enabled: false` beside it where the network can do without.',
      'Once every node is on eBPF, set `spec.kubernetes.kubeProxy.enabled: false` there.',
      'On Azure with accelerated networking, leave `enP` out of bpfDataIfacePattern in FelixConfiguration default first: nodes are cut off otherwise.',
    ],
    upgrade: 'Its release comes with the Calico extension: only those who run Gardener upgrade that.',
    proxyMode: 'Set `spec.kubernetes.kubeProxy.mode: IPTables` in the Shoot, which writes the proxy again.',
    source: 'gardener/gardener-extension-networking-calico docs/usage/usage.md',
    read,
  },
  {
    id: 'k0s',
    title: 'k0s',
    hasNoWay: true,
    steps: [
      'k0s writes this manifest again, documents no way to eBPF for it, and cannot change the network of a running cluster.',
      'Make a new cluster with `spec.network.provider: custom` and `spec.network.kubeProxy.disabled: true` in its configuration, and install Calico there by its operator.',
    ],
    upgrade: 'Upgrade k0s, whose release brings that of Calico.',
    kubelet: /\+k0s\b/,
    source: 'k0sproject/k0s docs/configuration.md',
    read,
  },
  {
    id: 'microk8s',
    title: 'MicroK8s',
    hasNoWay: true,
    steps: [
      'MicroK8s brings this manifest, documents no way to eBPF for it, and runs kube-proxy in one process with the kubelet (`snap.microk8s.daemon-kubelite`): no service of its own could be stopped.',
      'Stay on the standard data plane here, or make a new cluster with another tool for eBPF.',
    ],
    upgrade:
      'Write the release into `/var/snap/microk8s/current/args/cni-network/cni.yaml`, on every control plane node, with the paths that MicroK8s has in it, and apply it: `microk8s kubectl apply -f /var/snap/microk8s/current/args/cni-network/cni.yaml`.',
    proxyMode:
      'Set `--proxy-mode=iptables` in `/var/snap/microk8s/current/args/kube-proxy` on every node, and restart it there: `snap restart microk8s.daemon-kubelite`.',
    proxyFlags: 'cat /var/snap/microk8s/current/args/kube-proxy',
    proxyInKubelet: 'snap.microk8s.daemon-kubelite',
    nodeLabel: { key: 'microk8s.io/cluster', value: 'true' },
    source:
      'https://microk8s.io/docs/change-cidr (MicroK8s CNI Configuration); canonical/microk8s#1903; canonical/microk8s microk8s-resources/default-args/kubelet, microk8s-resources/wrappers/run-kubelite-with-args',
    read: '2026-11-23',
  },
  {
    id: 'canal',
    title: 'Canal',
    hasNoWay: true,
    steps: [
      'Replace Canal with Calico first: its network is that of flannel, and neither eBPF mode nor the operator takes that over.',
      'On RKE2 that is `cni: calico` for a new cluster; there is no change of the network of a running one.',
    ],
    source: 'calico.md §3.7',
    read,
  },
];

export const installerOf = (id: Installer['id']): Installer | null => installers.find((one) => one.id === id) ?? null;

/** The tool that created a node, by its label or kubelet; undefined: unknown. */
export const installerOfNode = (
  labels: Readonly<Record<string, string>>,
  kubeletVersion: string,
): Installer['id'] | null =>
  labelling.find(({ nodeLabel }) => labels[nodeLabel.key] === nodeLabel.value)?.id ??
  installerOfKubelet(kubeletVersion);

const labelling = installers.flatMap(({ id, nodeLabel }) => (nodeLabel === undefined ? [] : [{ id, nodeLabel }]));
const installerOfKubelet = remembered(
  (version) => installers.find(({ kubelet }) => kubelet?.test(version) === true)?.id ?? null,
);
