import { thousands } from '#lib/base/words.ts';
import type { ClusterStatus } from './cluster-status.ts';
import type { NodeLine } from './node-line.ts';

/**
 * Whether kube-proxy is off on a cluster that has nodes to serve: its DaemonSet is there and lands on none. Without nodes it lands on none either, and
 * nothing is amiss; agents that cannot be read say nothing of that.
 */
export function isProxyOff({ agents, proxy }: Pick<ClusterStatus, 'agents' | 'proxy'>): boolean {
  return proxy?.desired === 0 && (agents === null || agents.desired > 0);
}

/**
 * Nodes that neither kube-proxy nor eBPF serves Services on, as far as the watches tell: the DaemonSet of kube-proxy is there and lands on no node, and
 * the node is not on eBPF. Another proxy (kube-router, an embedded one) is not seen here; `proxy.gone-without-bpf` judges by everything that is read.
 * Pure. Source: pain B7.
 */
export function unservedNodes(status: Pick<ClusterStatus, 'proxy'>, nodes: readonly NodeLine[]): NodeLine[] {
  if (status.proxy?.desired !== 0) return [];
  return nodes.filter(({ plane }) => plane === 'standard' || plane === 'fell-back');
}

/**
 * What serves nodes and is not ready on some of them, worst first; null where all of it is, or is not known. A rollout that is stuck shows here, whatever
 * data plane its nodes are on: kube-proxy that is not ready somewhere serves no Services there (pain B7). `says`: `kube-proxy is ready on 4 of 6`; the word
 * *nodes* is the sentence's. Pure.
 */
export function unready({ agents, proxy }: Pick<ClusterStatus, 'agents' | 'proxy'>): Unready | null {
  if (proxy && proxy.desired > 0 && proxy.ready < proxy.desired) return of('kube-proxy', proxy.ready, proxy.desired);
  if (agents && agents.available < agents.desired) return of('Calico’s agent', agents.available, agents.desired);
  return null;
}

type Unready = { says: string; missing: number; desired: number };

function of(what: string, ready: number, desired: number): Unready {
  return {
    says: `${what} is ready on ${thousands(ready)} of ${thousands(desired)}`,
    missing: desired - ready,
    desired,
  };
}
