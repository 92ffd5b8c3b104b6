import { isDeepStrictEqual } from 'node:util';
import type { FieldExpectation } from './act.ts';
import { isJson, type Json } from './merge-patch.ts';

/**
 * The value at a path of keys, or undefined; elements of lists are named by their index. Only own properties: `__proto__` and the like are
 * absent unless the object has them.
 */
export function fieldAt(object: unknown, path: readonly string[]): unknown {
  let value = object;
  for (const key of path) {
    if (Array.isArray(value)) value = /^\d+$/.test(key) ? value[Number(key)] : undefined;
    else if (isJson(value) && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  return value ?? undefined;
}

/** As `fieldAt`, for fields that are text; anything else is undefined. */
export function textAt(object: unknown, path: readonly string[]): string | undefined {
  const value = fieldAt(object, path);
  return typeof value === 'string' ? value : undefined;
}

export function expectationAt(object: unknown, path: readonly string[]): FieldExpectation {
  const value = fieldAt(object, path);
  return value === undefined ? { path: [...path], absent: true } : { path: [...path], equals: value };
}

export function expectationHolds(object: unknown, expectation: FieldExpectation): boolean {
  const value = fieldAt(object, expectation.path);
  return 'absent' in expectation ? value === undefined : isDeepStrictEqual(value, expectation.equals);
}

/** What must be true once a merge patch was taken in: one expectation a leaf, `null` meaning absent. */
export function expectationsOf(patch: Json, at: readonly string[] = []): FieldExpectation[] {
  return Object.entries(patch).flatMap(([key, value]): FieldExpectation[] => {
    const path = [...at, key];
    if (value === null) return [{ path, absent: true }];
    if (isJson(value) && Object.keys(value).length > 0) return expectationsOf(value, path);
    return [{ path, equals: value }];
  });
}

/** The same for an object that is applied whole: an empty map, list or text may be left out by the server. */
export function writtenFields(object: Json): FieldExpectation[] {
  return expectationsOf(object).filter((field) => !('equals' in field && saysNothing(field.equals)));
}

function saysNothing(value: unknown): boolean {
  return value === '' || isJson(value) || (Array.isArray(value) && value.length === 0);
}

/** A merge patch that sets one field. */
export function patchAt(path: readonly string[], value: unknown): Json {
  const [key, ...rest] = path;
  if (key === undefined) throw new Error('A field needs a path.');
  return { [key]: rest.length === 0 ? value : patchAt(rest, value) };
}
