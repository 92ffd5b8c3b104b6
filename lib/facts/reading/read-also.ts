import { type Kube, KubeError } from '#lib/kube/index.ts';
import { type ObjectRef, objectId } from '#lib/spec/index.ts';
import type { Facts } from '../schema.ts';
import { toReadObject } from './read-object.ts';
import { Session } from './session.ts';

/**
 * The facts with these whole objects in `resources.objects`, for goals that write more objects than others. Null: the object does not exist; no key: it
 * could not be read. Objects that the facts already have are not read again.
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

/** Throws if `signal` has aborted, since what was read then is incomplete. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new KubeError('aborted', 'Reading the cluster was interrupted.', {}, signal.reason);
}
