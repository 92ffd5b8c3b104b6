import { counted } from '#lib/base/words.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import type { Condition } from '#lib/plan/index.ts';
import { objectId } from '#lib/spec/index.ts';
import type { ConditionContext } from './context.ts';
import { met, type Progress, waiting } from './progress.ts';

type Of<K extends Condition['kind']> = Extract<Condition, { kind: K }>;

/** The object does not exist. While it does, the finalizers that hold it are named. Rejects with a KubeError. */
export async function isAbsent({ target }: Of<'absent'>, { kube, signal }: ConditionContext): Promise<Progress> {
  const object = await kube.get(target, { signal });
  if (!object) return met([], `${objectId(target)} is gone`);
  const held = heldBy(object);
  return waiting(`${objectId(target)} to be gone${held === null ? '' : ` (${held})`}`);
}

/** None of these objects exists. Objects that still exist are named with the finalizers that hold them. */
export async function areAbsent(
  { targets }: Of<'all-absent'>,
  { kube, signal }: { kube: Pick<ConditionContext['kube'], 'get'>; signal: AbortSignal },
): Promise<Progress> {
  const looked = await Promise.all(
    targets.map(async (target) => ({ target, object: await kube.get(target, { signal }) })),
  );
  const left = looked.flatMap(({ target: { resource, namespace = null, name }, object }) =>
    object ? [{ kind: resource.kind, namespace, name, detail: heldBy(object) ?? 'still there' }] : [],
  );
  if (left.length === 0)
    return met([], targets.length === 1 ? 'the object is gone' : `${targets.length} objects are gone`);
  return waiting(`${left.length} of ${counted(targets.length, 'object')} to be gone`, left.slice(0, 20));
}

function heldBy({ metadata: { finalizers = [] } }: KubeObject): string | null {
  return finalizers.length === 0 ? null : `held by finalizers ${finalizers.join(', ')}`;
}
