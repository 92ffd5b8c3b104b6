import { copy, define, type Fields, isFields } from '../json.ts';

/** JSON Merge Patch, RFC 7396: `null` removes a member, lists are replaced whole. Neither argument is changed. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return copy(patch);
  const result: Fields = isFields(target) ? copy(target) : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) delete result[key];
    else define(result, key, mergePatch(Object.hasOwn(result, key) ? result[key] : undefined, value));
  }
  return result;
}
