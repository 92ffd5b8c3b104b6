import { isKubeError } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import type { ConditionContext } from './context.ts';

/**
 * Reads from a namespace that only some installations have. Permissions are given for namespaces that exist, so a refusal in one that does not
 * means that there is nothing: `otherwise`. In one that exists it stays a refusal.
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
