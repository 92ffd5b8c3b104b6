import { counted, thousands } from '#lib/base/words.ts';
import { wasRead } from '#lib/spec/was-read.ts';
import type { ClusterStatus } from './cluster-status.ts';
import type { NodeLine } from './node-line.ts';

/**
 * Whether kube-proxy is turned off on a cluster with nodes: its DaemonSet exists and selects no node. On a cluster without nodes it selects none either,
 * which is no fault. If the agents could not be read, the cluster counts as one with nodes.
 */
function isProxyOff({ agents, proxy }: Pick<ClusterStatus, 'agents' | 'proxy'>): boolean {
  return proxy?.desired === 0 && (agents === null || agents.desired > 0);
}

/**
 * Whether neither kube-proxy nor eBPF serves Services, by these objects; other proxies such as kube-router are not among them. Agents do what
 * FelixConfiguration says, whatever the Installation asks for: an operator may not have turned eBPF on yet, or refuse to. Where it says nothing, the Installation
 * decides, as earlier operators give that to the agents' environment. Nothing is claimed without Calico, or where FelixConfiguration could not be read, as in
 * the check `proxy.gone-without-bpf`. Pure. Source: pain B7.
 */
export function isUnserved(status: Objects): boolean {
  const { installation, manifest, felix, agents, unknown } = status;
  if (!isProxyOff(status) || (installation === null && agents === null)) return false;
  if (manifest !== undefined) return manifest.bpf === false;
  if (unknown.some(({ kind }) => kind === 'FelixConfiguration')) return false;
  const isOnBpf = felix?.bpfEnabled ?? (installation === null ? null : installation.dataplane === 'BPF');
  return isOnBpf === false;
}

type Objects = Pick<ClusterStatus, 'installation' | 'manifest' | 'felix' | 'agents' | 'proxy' | 'unknown'>;

/**
 * Nodes on which neither kube-proxy nor eBPF serves Services: the DaemonSet of kube-proxy exists and selects no node, and the node is not on eBPF.
 * The watches do not show other proxies (kube-router, an embedded one); the check `proxy.gone-without-bpf` takes them into account.
 * Pure. Source: pain B7.
 */
export function unservedNodes(status: Pick<ClusterStatus, 'proxy'>, nodes: readonly NodeLine[]): NodeLine[] {
  if (status.proxy?.desired !== 0) return [];
  return nodes.filter(({ plane }) => plane === 'standard' || plane === 'fell-back');
}

/**
 * kube-proxy or the agents, whichever is not ready on all its nodes, kube-proxy first; null if both are ready, or are not known. This shows a stuck
 * rollout on any data plane: a node whose kube-proxy is not ready has no Services (pain B7). `says`: `kube-proxy is ready on 4 of 6 nodes`. Pure.
 */
export function unreadyWorkload({ agents, proxy }: Pick<ClusterStatus, 'agents' | 'proxy'>): Unready | null {
  if (proxy && proxy.desired > 0 && proxy.ready < proxy.desired) return of('kube-proxy', proxy.ready, proxy.desired);
  if (agents && agents.available < agents.desired) return of('Calico’s agent', agents.available, agents.desired);
  return null;
}

type Unready = { says: string; missing: number; desired: number };

function of(what: string, ready: number, desired: number): Unready {
  return {
    says: `${what} is ready on ${thousands(ready)} of ${counted(desired, 'node')}`,
    missing: desired - ready,
    desired,
  };
}

/** Whether the nodes of a view may be counted, by the rule for all lists (was-read.ts). Pure. */
export function nodesWereRead({
  nodes,
  status,
}: {
  readonly nodes: readonly NodeLine[];
  readonly status: Pick<ClusterStatus, 'unknown'>;
}): boolean {
  const covered = status.unknown.every(({ kind }) => kind !== 'Node');
  return wasRead({ nodes, coverage: { nodes: { covered } } }, 'nodes');
}
