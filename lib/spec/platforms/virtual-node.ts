/**
 * Whether a node is virtual: a virtual kubelet's, or AWS Fargate's. No DaemonSet runs there, so no agent is expected.
 *
 * Each mark alone is enough. A virtual kubelet sets the taint unless it is started with `--disable-taint` (virtual-kubelet › `DefaultTaintKey`), and
 * labels are its provider's. The taint alone does not prevent agents: calico-node tolerates every taint (release manifests), and would be awaited
 * there for ever. Fargate: https://github.com/aws/eks-charts/pull/260.
 */
export function isVirtualNode({ labels, taints, providerID }: MarksOfNode): boolean {
  return (
    labels.type === 'virtual-kubelet' ||
    labels[fargate] === 'fargate' ||
    taints.some(({ key }) => key === 'virtual-kubelet.io/provider' || key === fargate) ||
    (providerID ?? '').startsWith('virtual://')
  );
}

/**
 * The operating system of a node, `linux` or `windows`; empty: unknown. Its kubelet reports it; the label is only a fallback, because anybody with access to the
 * node object may change it.
 */
export function systemOf({ labels, reported = '' }: { labels: MarksOfNode['labels']; reported?: string }): string {
  return reported || labelledSystem(labels);
}

/** The label's system, by which DaemonSets select nodes; empty: no label. Differs from `systemOf` if the label was changed. */
export function labelledSystem(labels: MarksOfNode['labels']): string {
  return labels['kubernetes.io/os'] ?? '';
}

/** Why a node never runs Calico's agent; null: it may, also if its system is unknown. */
export function whyAgentless({ os, virtual }: NodeKind): 'windows' | 'virtual' | null {
  if (os === 'windows') return 'windows';
  return virtual ? 'virtual' : null;
}

/** Whether Calico's agent runs on such a node: on every Linux node that is not virtual (operations.md › Proof of a node). */
export function runsAgent(node: NodeKind): boolean {
  return whyAgentless(node) === null;
}

/** Whether the agents' DaemonSet must have a pod on the node. `agentCannotLand`: why none can be scheduled there, or null. A run awaits no other node. */
export function expectsAgent(node: NodeKind & { readonly agentCannotLand: string | null }): boolean {
  return runsAgent(node) && node.agentCannotLand === null;
}

/** `os`: as `systemOf`; `virtual`: as `isVirtualNode`. */
export type NodeKind = { readonly os: string; readonly virtual: boolean };

type MarksOfNode = {
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly { readonly key: string }[];
  readonly providerID: string | null;
};

const fargate = 'eks.amazonaws.com/compute-type';
