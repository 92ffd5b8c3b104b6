import { isKubeError } from '#lib/kube/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import type { UsedCluster } from './open-clusters.ts';

/** The same for every context that leads to one cluster: the UID of kube-system. Samples of one template share theirs, so that a sandbox is its name. */
export async function placeOf({ slug, kind, kube }: UsedCluster): Promise<string> {
  if (kind === 'sandbox') return slug;
  try {
    const system = await kube.get({ resource: resources.namespaces, name: names.systemNamespace });
    return `uid ${system?.metadata.uid ?? slug}`;
  } catch (error) {
    // Who may not read it cannot start anything there either.
    if (isKubeError(error, 'forbidden')) return slug;
    throw error;
  }
}
