/**
 * Whether a node has no machine behind it: a virtual kubelet's, or AWS Fargate's. No DaemonSet runs there, so it is owed no agent.
 *
 * Each mark alone is enough. A virtual kubelet sets the taint unless it is started with `--disable-taint` (virtual-kubelet › `DefaultTaintKey`), and
 * labels are its provider's. The taint keeps no agent away by itself: calico-node tolerates every taint (release manifests), and would be awaited
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
 * The operating system of a node, `linux` or `windows`; empty where it says nothing. Its kubelet reports it; the label, which anybody may change who
 * may change the node, only stands in for that.
 */
export function systemOf({ labels, reported = '' }: { labels: MarksOfNode['labels']; reported?: string }): string {
  return reported || labelledSystem(labels);
}

/** What the label says, by which DaemonSets select nodes; empty: nothing. Another system than `systemOf` where somebody changed it. */
export function labelledSystem(labels: MarksOfNode['labels']): string {
  return labels['kubernetes.io/os'] ?? '';
}

/** Why a node never runs Calico's agent; null where it may. A node that says no system may run it. */
export function whyAgentless({ os, virtual }: NodeKind): 'windows' | 'virtual' | null {
  if (os === 'windows') return 'windows';
  return virtual ? 'virtual' : null;
}

/** Whether Calico's agent runs on such a node: on every Linux node with a machine behind it (operations.md › Proof of a node). */
export function runsAgent(node: NodeKind): boolean {
  return whyAgentless(node) === null;
}

/** `os`: as `systemOf`; `virtual`: as `isVirtualNode`. */
export type NodeKind = { readonly os: string; readonly virtual: boolean };

type MarksOfNode = {
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly { readonly key: string }[];
  readonly providerID: string | null;
};

const fargate = 'eks.amazonaws.com/compute-type';
