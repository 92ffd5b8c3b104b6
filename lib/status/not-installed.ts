import { isKubeError } from '#lib/kube/index.ts';

/** Whether the cluster lacks the kind, so that it certainly has no such objects. 503 proves nothing: the aggregated server of the kind is only away. */
export function isNotInstalled(because: unknown): boolean {
  return isKubeError(because, 'not-served') && because.detail.status !== 503;
}
