import { agentDaemonSets, names } from '#lib/spec/index.ts';
import type { ClusterCache } from '../workloads/cluster-cache.ts';
import type { PodShape } from '../workloads/shapes.ts';

export function isAgent(pod: PodShape): boolean {
  return agentDaemonSets.some(({ name }) => pod.metadata.labels['k8s-app'] === name);
}

export function isProxy(pod: PodShape): boolean {
  return pod.metadata.labels['k8s-app'] === names.kubeProxyDaemonSet;
}

/** Null where the pod has no such container, or it does not run. */
export function runningContainer(pod: PodShape, name: string): { id: string; startedAt: number } | null {
  const status = pod.status.containerStatuses.find((each) => each.name === name);
  const startedAt = status?.state.running?.startedAt;
  return status && startedAt ? { id: status.containerID ?? '', startedAt: Date.parse(startedAt) } : null;
}

/**
 * Node annotations that make one node odd. `agent`: `refuses` (its kernel is refused at the next start) or `silent` (neither log nor
 * maps say anything); `proxy`: `silent` (kube-proxy runs and writes no rules).
 */
export const agentMark = 'signalbox.dev/agent';
export const proxyMark = 'signalbox.dev/proxy';

export function markOn(cache: Pick<ClusterCache, 'nodes'>, node: string, mark: string): string | undefined {
  return cache.nodes.get(`/${node}`)?.shape.metadata.annotations[mark];
}
