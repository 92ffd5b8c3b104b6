import type { Resource } from '#lib/spec/index.ts';
import { isKubeError, type KubeError } from '../error.ts';
import type { KubeObject } from '../object.ts';
import type { CallOptions, Kube, ObjectRef } from '../port.ts';

/**
 * Like `get`, but tells an object that does not exist from one that a dump leaves out: for a kind that a dump does not hold it rejects with `not-served`, as
 * `list` does. For a cluster it is the same as `get`.
 */
export async function getHeld(kube: Kube, ref: ObjectRef, options: CallOptions = {}): Promise<KubeObject | null> {
  const object = await kube.get(ref, options);
  if (object === null && kube.source === 'dump') await firstPage(kube, ref.resource, options);
  return object;
}

/** Whether a dump holds a kind: only then no objects of it means that there are none. */
export async function dumpHolds(kube: Kube, resource: Resource, options: CallOptions = {}): Promise<boolean> {
  try {
    await firstPage(kube, resource, options);
    return true;
  } catch (error) {
    if (isKubeError(error, 'not-served')) return false;
    throw error;
  }
}

/**
 * Whether an error means that a dump leaves out what was asked for: its maker was not allowed to read it, or its files have only a part. A dump has no connection
 * that could fail.
 */
export function isLeftOut(kube: Pick<Kube, 'source'>, error: unknown): error is KubeError {
  return kube.source === 'dump' && isKubeError(error) && error.code !== 'aborted';
}

async function firstPage(kube: Kube, resource: Resource, options: CallOptions): Promise<void> {
  for await (const _ of kube.list(resource, { ...options, pageSize: 1 })) return;
}
