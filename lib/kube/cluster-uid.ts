import { names, resources } from '#lib/spec/index.ts';
import { isKubeError } from './error.ts';
import type { CallOptions, Kube } from './port.ts';

/**
 * The UID of Namespace kube-system, which distinguishes clusters with the same name; null if the namespace does not exist. Rejects with a KubeError:
 * `forbidden` if it may not be read.
 */
export async function readClusterUid(kube: Pick<Kube, 'get'>, options?: CallOptions): Promise<string | null> {
  const found = await kube.get({ resource: resources.namespaces, name: names.systemNamespace }, options);
  return found?.metadata.uid || null;
}

/** The same; null also where it may not be read. */
export async function clusterUid(kube: Pick<Kube, 'get'>, options?: CallOptions): Promise<string | null> {
  try {
    return await readClusterUid(kube, options);
  } catch (error) {
    if (isKubeError(error, 'forbidden')) return null;
    throw error;
  }
}
