import type { ClusterEntry } from '#lib/console/host.ts';
import type { OpenCluster } from './open-cluster.ts';

type NamedInConsole = { kind: ClusterEntry['kind']; name: string };

/** How the console names a cluster: `{ kind, name }` of ClusterEntry. Null: the console cannot have it. */
export function inTheConsole({ kube, inConsole }: OpenCluster): NamedInConsole | null {
  if (kube.source === 'sandbox') return inConsole === undefined ? null : { kind: 'sandbox', name: kube.name };
  if (kube.source !== 'live') return null;
  return kube.reachedBy
    ? { kind: 'kubeconfig', name: kube.reachedBy.context }
    : { kind: 'in-cluster', name: kube.name };
}
