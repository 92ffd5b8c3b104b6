import { isKubeError, type Kube } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';

const target = { resource: resources.clusterInformations, name: 'default' };

/**
 * Writes the release of a node's agent when its pod starts, as the agent does (calico.md §9 › Version). The first agent of a new release writes it,
 * long before the last one runs. With Calico's data in etcd the API has no such object.
 */
export async function writeCalicoVersion(kube: Kube, version: string, signal: AbortSignal): Promise<void> {
  try {
    const found = await kube.get(target, { signal });
    const known = (found?.spec as { calicoVersion?: string } | undefined)?.calicoVersion;
    if (found === null || known === version) return;
    await kube.patch(
      target,
      { type: 'merge', body: { spec: { calicoVersion: version } } },
      { fieldManager: 'calico-node', signal },
    );
  } catch (error) {
    if (!isKubeError(error, 'not-served', 'not-found')) throw error;
  }
}
