import type { OpenCluster } from './open-cluster.ts';

/** How the console names a cluster: `{ kind, name }` of ClusterEntry. Null: it is in no console. */
export function inTheConsole({ kube, inConsole }: OpenCluster): { kind: string; name: string } | null {
  if (kube.source === 'sandbox') return inConsole === undefined ? null : { kind: 'sandbox', name: kube.name };
  if (kube.source !== 'live') return null;
  return kube.reachedBy
    ? { kind: 'kubeconfig', name: kube.reachedBy.context }
    : { kind: 'in-cluster', name: kube.name };
}
