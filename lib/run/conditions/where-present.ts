import { isKubeError } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import type { ConditionContext } from './context.ts';

/**
 * Reads from a namespace that only some installations have; returns `otherwise` where the namespace does not exist. The API server may refuse the
 * reading there, since Roles are made only in namespaces that exist. A refusal in an existing namespace rejects.
 */
export async function wherePresent<T>(
  { kube, signal }: ConditionContext,
  namespace: string,
  read: () => Promise<T>,
  otherwise: T,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isKubeError(error, 'forbidden')) throw error;
    if (await kube.get({ resource: resources.namespaces, name: namespace }, { signal })) throw error;
    return otherwise;
  }
}
