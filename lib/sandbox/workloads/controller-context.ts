import { type Clock, type Kube, type KubeObject, objectTime } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import type { Timings } from '../timings.ts';
import type { ClusterCache } from './cluster-cache.ts';

/** What every simulated controller works with. */
export type ControllerContext = {
  kube: Kube;
  clock: Clock;
  signal: AbortSignal;
  cache: ClusterCache;
  timings: Timings;
  /** Puts the result of the controller's own write into the cache at once. */
  saw(object: KubeObject): void;
  /** Takes an object that the controller deleted from the cache at once. */
  deleted(object: KubeObject): void;
};

/** The real controller's field manager, so that managedFields read as on a real cluster. */
export const controllerManager = 'kube-controller-manager';

export async function deletePod(context: ControllerContext, object: KubeObject): Promise<void> {
  await context.kube.delete(
    { resource: resources.pods, namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' },
    { uid: object.metadata.uid ?? '', signal: context.signal },
  );
  context.deleted(object);
}

export function timeOf(clock: Clock): string {
  return objectTime(clock.now());
}
