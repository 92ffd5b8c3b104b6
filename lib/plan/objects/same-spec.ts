import { type Fields, isRecord, same } from '#lib/base/records.ts';
import { withDefaults, withPolicyTypes } from '#lib/calico-api/index.ts';
import type { ObjectRef } from '#lib/spec/index.ts';

/**
 * Whether two objects of one name have the same spec, with the defaults of Calico's API and without fields that say nothing. The order of lists
 * counts, because the first matching rule of a policy decides.
 */
export function hasSameSpec(target: ObjectRef, one: unknown, other: unknown): boolean {
  return same(defaultedSpec(target, one), defaultedSpec(target, other));
}

function defaultedSpec({ resource: { kind }, name }: ObjectRef, object: unknown): unknown {
  const spec = isRecord(object) && isRecord(object.spec) ? (withoutEmpty(object.spec) as Fields) : {};
  return withPolicyTypes(kind, withDefaults(kind, name, spec));
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const value = withoutEmpty(member);
      return isEmpty(value) ? [] : [[key, value]];
    }),
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}
