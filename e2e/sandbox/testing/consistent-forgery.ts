import { isDeepStrictEqual } from 'node:util';
import { type Fields, isRecord, valueAt } from '#lib/base/records.ts';
import { type ObjectRef, objectId } from '#lib/spec/index.ts';

/**
 * Adapts the rest of an operation to a forged field, as an attacker would: its condition and its undo name the same fields and objects. Without that, a
 * definition that allows any write would still seem to refuse the forgery, because of its condition.
 */

type Path = readonly (string | number)[];
type Leaf = { path: string[]; equals?: unknown; absent?: true };

/** @param forged `operation` with another value at `path` only. @returns the adapted operation; null if nothing else has to change */
export function consistentForgery(operation: unknown, forged: unknown, path: Path): unknown {
  const depth = path.findLastIndex((key) => key === 'body' || key === 'target');
  const holder = path.slice(0, depth);
  const [before, after] = [valueAt(operation, holder), valueAt(forged, holder)];
  if (depth < 0 || !isRecord(before) || !isRecord(after) || !('body' in before) || !isRecord(before.target))
    return null;
  const fitting =
    path[depth] === 'target'
      ? withTarget(forged, before.target as unknown as ObjectRef, after.target as unknown as ObjectRef)
      : withFields(forged, before, after, path[0] === 'undo');
  return isDeepStrictEqual(fitting, forged) ? null : fitting;
}

function withTarget(forged: unknown, before: ObjectRef, after: ObjectRef): unknown {
  if (!isRecord(after) || !isRecord((after as Fields).resource)) return forged;
  const [idBefore, idAfter] = [objectId(before), objectId(after)];
  const swapped = mapped(forged, (value) => {
    if (value === idBefore) return idAfter;
    if (!isRecord(value)) return undefined;
    // Compared as a whole only where the name is the same: most parts of an operation are no references.
    if (value.name === before.name && isDeepStrictEqual(value, before)) return after;
    if (!isRecord(value.body) || !isRecord(value.body.metadata)) return undefined;
    if (!isDeepStrictEqual(value.target, before)) return undefined;
    const place = after.namespace === undefined ? {} : { namespace: after.namespace };
    const metadata = { ...value.body.metadata, name: after.name, ...place };
    return { ...value, target: after, body: { ...value.body, metadata } };
  });
  return swapped;
}

function withFields(forged: unknown, before: Fields, after: Fields, isUndo: boolean): unknown {
  if (!isRecord(before.body) || !isRecord(after.body)) return forged;
  const [old, now] = [leavesOf(before.body), leavesOf(after.body)];
  const added = now.filter((leaf) => !has(old, leaf));
  const removed = old.filter((leaf) => !has(now, leaf));
  const withLeaves = (value: unknown, was: readonly Leaf[], is: readonly Leaf[]): unknown =>
    mapped(value, (one) => {
      if (!isRecord(one) || one.kind !== 'fields' || !isDeepStrictEqual(one.target, before.target)) return undefined;
      const fields = one.fields as Leaf[];
      return { ...one, fields: is.filter((leaf) => has(fields, leaf) || !has(was, leaf)) };
    });
  if (!isRecord(forged)) return forged;
  if (isUndo) return { ...forged, undo: withLeaves(forged.undo, old, now) };
  const { undo, ...forward } = forged;
  const takenBack = mapped(undo, (one) => {
    if (!isRecord(one) || one.kind !== 'merge-patch' || !isDeepStrictEqual(one.target, before.target)) return undefined;
    const less = removed.reduce((body, { path }) => without(body, path), one.body as Fields);
    return { ...one, body: added.reduce((body, { path }) => withNull(body, path), less) };
  });
  const gone = added.map(({ path }): Leaf => ({ path, absent: true }));
  const undone = mapped(takenBack, (one) => {
    if (!isRecord(one) || one.kind !== 'fields' || !isDeepStrictEqual(one.target, before.target)) return undefined;
    return { ...one, fields: [...(one.fields as Leaf[]).filter((leaf) => !has(removed, leaf)), ...gone] };
  });
  return { ...(withLeaves(forward, old, now) as Fields), undo: undone };
}

function leavesOf(body: Fields, at: string[] = []): Leaf[] {
  return Object.entries(body).flatMap(([key, value]): Leaf[] => {
    const path = [...at, key];
    if (value === null) return [{ path, absent: true }];
    return isRecord(value) && Object.keys(value).length > 0 ? leavesOf(value, path) : [{ path, equals: value }];
  });
}

const has = (leaves: readonly Leaf[], { path }: Leaf) => leaves.some((one) => isDeepStrictEqual(one.path, path));

function withNull(body: Fields, [key = '', ...rest]: string[]): Fields {
  const below = body[key];
  return { ...body, [key]: rest.length === 0 ? null : withNull(isRecord(below) ? below : {}, rest) };
}

function without(body: Fields, [key = '', ...rest]: string[]): Fields {
  const { [key]: below, ...others } = body;
  return rest.length > 0 && isRecord(below) ? { ...others, [key]: without(below, rest) } : others;
}

/** Applies `change` to a value and its parts, outermost first. If `change` returns undefined, its parts are tried. */
function mapped(value: unknown, change: (value: unknown) => unknown): unknown {
  const made = change(value);
  if (made !== undefined) return made;
  if (Array.isArray(value)) return value.map((one: unknown) => mapped(one, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapped(one, change)]));
}
