import { isKubeError, type Kube } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';

const target = { resource: resources.clusterInformations, name: 'default' };

/**
 * What the agent of a node writes when its pod starts: of which release it is (calico.md §9 › Version). The first of a new release writes it, long
 * before the last one runs. Where the data is in etcd there is nothing to write in the API.
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
