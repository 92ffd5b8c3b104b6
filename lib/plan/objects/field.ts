import { isDeepStrictEqual } from 'node:util';
import { type Fields, isRecord, valueAt } from '#lib/base/records.ts';
import type { FieldExpectation } from '../schema/named-objects.ts';

/** The value at a path of keys; undefined if there is none. Null is a value. */
export function fieldAt(object: unknown, path: readonly string[]): unknown {
  return valueAt(object, path) ?? undefined;
}

/** The text at a path of keys; undefined if there is none or the value is no text. */
export function textAt(object: unknown, path: readonly string[]): string | undefined {
  const value = fieldAt(object, path);
  return typeof value === 'string' ? value : undefined;
}

/** What a guard or a condition expects at a path: the present value, or its absence. */
export function expectationAt(object: unknown, path: readonly string[]): FieldExpectation {
  const value = fieldAt(object, path);
  return value === undefined ? { path: [...path], absent: true } : { path: [...path], equals: value };
}

/** Whether the object has the expected value, or lacks the field as expected. */
export function expectationHolds(object: unknown, expectation: FieldExpectation): boolean {
  const value = fieldAt(object, expectation.path);
  return 'absent' in expectation ? value === undefined : isDeepStrictEqual(value, expectation.equals);
}

/** What holds after a merge patch: one expectation for each leaf; `null` means absent. */
export function expectationsOf(patch: Fields, at: readonly string[] = []): FieldExpectation[] {
  return Object.entries(patch).flatMap(([key, value]): FieldExpectation[] => {
    const path = [...at, key];
    if (value === null) return [{ path, absent: true }];
    if (isRecord(value) && Object.keys(value).length > 0) return expectationsOf(value, path);
    return [{ path, equals: value }];
  });
}

/** What holds after an object was applied whole. An empty map, list or text is left out, because the server may leave it out. */
export function writtenFields(object: Fields): FieldExpectation[] {
  return expectationsOf(object).filter((field) => !('equals' in field && isEmpty(field.equals)));
}

function isEmpty(value: unknown): boolean {
  return value === '' || isRecord(value) || (Array.isArray(value) && value.length === 0);
}

/** A merge patch (RFC 7386) that sets the field at this path; null removes it. Throws for an empty path. */
export function patchAt(path: readonly string[], value: unknown): Fields {
  const [key, ...rest] = path;
  if (key === undefined) throw new Error('A field needs a path.');
  return { [key]: rest.length === 0 ? value : patchAt(rest, value) };
}
