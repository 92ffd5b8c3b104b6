import type { ClusterStatus } from './cluster-status.ts';
import type { NodeLine } from './node-line.ts';

/**
 * Nodes that neither kube-proxy nor eBPF serves Services on, as far as the watches tell: the DaemonSet of kube-proxy is there and lands on no node, and
 * the node is not on eBPF. Another proxy (kube-router, an embedded one) is not seen here; `proxy.gone-without-bpf` judges by everything that is read.
 * Pure. Source: pain B7.
 */
export function unservedNodes(status: Pick<ClusterStatus, 'proxy'>, nodes: readonly NodeLine[]): NodeLine[] {
  if (status.proxy?.desired !== 0) return [];
  return nodes.filter(({ plane }) => plane === 'standard' || plane === 'fell-back');
}
