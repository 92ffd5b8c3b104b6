import { counted } from '#lib/base/words.ts';
import type { Condition } from '#lib/plan/index.ts';
import { objectId } from '#lib/spec/index.ts';
import { isAdopted } from '../acts/adopt-fields.ts';
import type { ConditionContext } from './context.ts';
import { met, type Progress, waiting } from './progress.ts';

/** No other client owns a field of these objects that releases set (acts/adopt-fields.ts). Rejects with a KubeError. */
export async function fieldsAdopted(
  { targets }: Extract<Condition, { kind: 'fields-adopted' }>,
  { kube, signal }: ConditionContext,
): Promise<Progress> {
  const looked = await Promise.all(
    targets.map(async (target) => ({ target, object: await kube.get(target, { signal }) })),
  );
  const open = looked.filter(({ object }) => !isAdopted(object));
  if (open.length === 0) return met([]);
  return waiting(
    `the fields of ${open.length} of ${counted(targets.length, 'object')} to be ours`,
    open.slice(0, 20).map(({ target }) => ({
      kind: target.resource.kind,
      namespace: target.namespace ?? null,
      name: target.name,
      detail: `${objectId(target)} was written again by another client`,
    })),
  );
}
