import { isKubeError } from '#lib/kube/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import type { UsedCluster } from './open-clusters.ts';

/**
 * Identifies a cluster, whichever context leads to it: the UID of kube-system. Sandboxes of one template share that UID, so a sandbox is identified
 * by its name.
 */
export async function placeOf({ slug, kind, kube }: UsedCluster): Promise<string> {
  if (kind === 'sandbox') return slug;
  try {
    const system = await kube.get({ resource: resources.namespaces, name: names.systemNamespace });
    return `uid ${system?.metadata.uid ?? slug}`;
  } catch (error) {
    // Without the right to read kube-system nothing can be started there either.
    if (isKubeError(error, 'forbidden')) return slug;
    throw error;
  }
}
