import { clusterUid } from '#lib/kube/index.ts';
import type { UsedCluster } from './open-clusters.ts';

/**
 * Identifies a cluster, whichever context leads to it: the UID of kube-system. Sandboxes of one template share that UID, so a sandbox is identified
 * by its name.
 */
export async function clusterIdentity({ slug, kind, kube }: UsedCluster): Promise<string> {
  if (kind === 'sandbox') return slug;
  // Without the right to read kube-system nothing can be started there either.
  const uid = await clusterUid(kube);
  return uid === null ? slug : `uid ${uid}`;
}
