import { same, valueAt } from '#lib/base/records.ts';
import type { Condition } from '#lib/plan/index.ts';
import { objectId } from '#lib/spec/index.ts';
import { pathText } from '../acts/fields.ts';
import { otherWriter, writerRecord } from '../acts/whose-fields.ts';
import type { ConditionContext } from './context.ts';
import { met, type Progress, waiting } from './progress.ts';

type Of<K extends Condition['kind']> = Extract<Condition, { kind: K }>;

/** The object exists. Rejects with a KubeError. */
export async function isThere({ target }: Of<'exists'>, { kube, signal }: ConditionContext): Promise<Progress> {
  const object = await kube.get(target, { signal });
  return object
    ? met([{ object: objectId(target), path: 'metadata.uid', value: object.metadata.uid ?? '' }])
    : waiting(`${objectId(target)} to exist`);
}

/**
 * Each field has its expected value, or is absent as expected. With `whose`, a field that another client wrote may have any value, since the run
 * leaves it alone. Rejects with a KubeError.
 */
export async function fieldsHold(
  { target, fields, whose }: Of<'fields'>,
  { kube, signal }: ConditionContext,
): Promise<Progress> {
  const object = await kube.get(target, { signal });
  const id = objectId(target);
  const record = whose === undefined ? null : await writerRecord(kube, target, signal);
  const left = new Map(
    whose === undefined ? [] : fields.map((field) => [field, otherWriter(object, record, field.path)] as const),
  );
  const wrong = fields.filter((field) => {
    if (left.get(field)) return false;
    const value = valueAt(object, field.path);
    return 'absent' in field ? value !== undefined && value !== null : !same(value, field.equals);
  });
  if (!object && fields.some((field) => !('absent' in field))) return waiting(`${id} to exist`);
  if (wrong.length === 0)
    return met(
      fields.map((field) => {
        const other = left.get(field);
        const value = other ? `left, as ${other} wrote it` : (valueAt(object, field.path) ?? null);
        return { object: id, path: pathText(field.path), value };
      }),
    );
  const words = wrong.map(
    (field) =>
      `${pathText(field.path)} to be ${'absent' in field ? 'unset' : JSON.stringify(field.equals)}, it is ${JSON.stringify(valueAt(object, field.path) ?? null)}`,
  );
  return waiting(`${id}: ${words.join('; ')}`);
}
