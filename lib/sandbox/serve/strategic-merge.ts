import { KubeError, type PatchType } from '#lib/kube/index.ts';
import { isFields } from './body.ts';

type Fields = Record<string, unknown>;

/**
 * Applies a strategic merge patch, which kubectl sends for built-in kinds (`apply`, `edit`, `cordon`, `rollout restart`): a merge patch that also
 * merges lists. https://github.com/kubernetes/community/blob/master/contributors/devel/sig-api-machinery/strategic-merge-patch.md. Ignores the order
 * of `$setElementOrder`. Throws `invalid` for an item without its merge key.
 */
export function strategicMerge(live: Fields, patch: Fields, type: PatchType): Fields {
  const { $patch: directive, $retainKeys: retained, ...rest } = patch;
  if (directive === 'replace') return withoutDirectives(rest);
  if (directive === 'delete') return {};
  const retainedFields = Array.isArray(retained)
    ? Object.entries(live).filter(([name]) => retained.includes(name))
    : null;
  const merged: Fields = retainedFields ? Object.fromEntries(retainedFields) : { ...live };
  for (const [name, value] of Object.entries(rest)) {
    const [, deletedFrom] = /^\$deleteFromPrimitiveList\/(.+)$/.exec(name) ?? [];
    const list = merged[deletedFrom ?? ''];
    if (deletedFrom !== undefined && Array.isArray(list) && Array.isArray(value))
      merged[deletedFrom] = list.filter((word) => !value.includes(word));
    if (name.startsWith('$')) continue;
    if (value === null) delete merged[name];
    else merged[name] = mergedValue(merged[name], value, type.member(name));
  }
  return merged;
}

function mergedValue(live: unknown, patch: unknown, type: PatchType): unknown {
  if (isFields(patch)) return strategicMerge(isFields(live) ? live : {}, patch, type);
  if (!Array.isArray(patch)) return patch;
  const found: unknown[] = Array.isArray(live) ? live : [];
  if (type.list === 'joined') return [...new Set([...found, ...patch])];
  const replaces = patch.some((item) => isFields(item) && item.$patch === 'replace' && Object.keys(item).length === 1);
  if (type.list === 'replaced' || replaces)
    return patch.filter((item) => !(isFields(item) && '$patch' in item)).map(withoutDirectives);
  const { mergeKey } = type.list;
  const items = [...found];
  for (const item of patch) {
    if (!isFields(item) || item[mergeKey] === undefined)
      throw new KubeError('invalid', `${JSON.stringify(item)} has no ${mergeKey}, by which it is merged.`, {
        status: 400,
      });
    const at = items.findIndex((one) => isFields(one) && one[mergeKey] === item[mergeKey]);
    const before = items[at];
    if (item.$patch === 'delete') {
      if (at >= 0) items.splice(at, 1);
    } else if (at >= 0 && isFields(before)) items[at] = strategicMerge(before, item, type.item);
    else items.push(strategicMerge({}, item, type.item));
  }
  return items;
}

function withoutDirectives<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutDirectives) as T;
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !name.startsWith('$'))
      .map(([name, each]) => [name, withoutDirectives(each)]),
  ) as T;
}
