import { type Kube, KubeError } from '#lib/kube/index.ts';
import { type ObjectRef, objectId } from '#lib/spec/index.ts';
import type { Facts } from '../schema.ts';
import { toReadObject } from './read-object.ts';
import { Session } from './session.ts';

/**
 * The same facts with these objects in `resources.objects` as well, whole: what a journey writes beyond what every cluster has. Read and absent is
 * null; what may not be read has no key. Objects that the facts hold already are not read again.
 */
export async function withObjects(
  facts: Facts,
  { kube, refs, signal }: { kube: Kube; refs: readonly ObjectRef[]; signal?: AbortSignal },
): Promise<Facts> {
  const known = facts.resources.objects;
  const session = new Session(kube, { signal, progress: undefined, rules: [], goal: null });
  const wanted = refs.filter((ref) => !Object.hasOwn(known, objectId(ref)));
  const read = await Promise.all(
    wanted.map(async (ref) => {
      const { value, missing } = await session.object(ref);
      return value === null && missing.length > 0 ? [] : [[objectId(ref), value && toReadObject(value)] as const];
    }),
  );
  throwIfAborted(signal);
  return { ...facts, resources: { ...facts.resources, objects: { ...known, ...Object.fromEntries(read.flat()) } } };
}

/** Whatever was read while `signal` aborted is incomplete. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new KubeError('aborted', 'Reading the cluster was interrupted.', {}, signal.reason);
}
