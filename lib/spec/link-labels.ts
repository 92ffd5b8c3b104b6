/**
 * Labels of nodes that name a shared link to the network: the network card of a machine, then the switch of a rack; the nearest first. Before a test of the nodes,
 * nothing else shows links.
 */
const linkLabels: readonly { readonly label: string; readonly source: string; readonly read: string }[] = [
  {
    label: 'topology.scs.openstack.org/host-id',
    ...of('SovereignCloudStack/standards scs-0214-v1-k8s-node-distribution.md: the machine that nodes run on'),
  },
  { label: 'topology.k8s.aws/network-node-layer-4', ...of('docs.aws.amazon.com/eks › ml-workload-topology') },
  { label: 'topology.k8s.aws/network-node-layer-3', ...of('docs.aws.amazon.com/eks › ml-workload-topology') },
  { label: 'fabric.topograph.run/tier-0', ...of('docs.nvidia.com/topograph v1.0.0 › node-labels-and-annotations') },
  { label: 'network.topology.nvidia.com/leaf', ...of('docs.nvidia.com/topograph › node-labels-and-annotations') },
  {
    label: 'topology.kubernetes.io/rack',
    ...of('in wide use, reserved by nobody: oneuptime.com/blog › pod-affinity-topologykey-rack-aware'),
  },
  { label: 'px/rack', ...of('docs.portworx.com › cluster-topology') },
  {
    label: 'rack',
    ...of('as guides to BGPPeer select the nodes of a rack: oneuptime.com/blog › calico-bgppeer-resource'),
  },
];

/** The link of a node with these labels, `label=value`; null: none of them names it. */
export function linkOf(labels: Readonly<Record<string, string>>): string | null {
  for (const { label } of linkLabels) {
    const value = labels[label];
    if (value) return `${label}=${value}`;
  }
  return null;
}

function of(source: string) {
  return { source, read: '2026-11-27' };
}
