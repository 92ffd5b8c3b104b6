import { isKubeError } from '#lib/kube/index.ts';

/** A kind that the cluster does not have has no objects: that is known. A server of it that is away (503) says nothing. */
export function isNotInstalled(because: unknown): boolean {
  return isKubeError(because, 'not-served') && because.detail.status !== 503;
}
