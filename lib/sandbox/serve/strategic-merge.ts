import { isFields } from './body.ts';

/**
 * The member by which items of a list are matched, of the lists that merge (`patchMergeKey` in the Go types of k8s.io/api, read 2026-11-22). A list
 * that is not here is replaced. `finalizers` and `podCIDRs` hold words, which are joined.
 */
const mergeKeys: Readonly<Record<string, readonly string[]>> = {
  addresses: ['type'],
  conditions: ['type'],
  containers: ['name'],
  env: ['name'],
  ephemeralContainers: ['name'],
  hostAliases: ['ip'],
  imagePullSecrets: ['name'],
  initContainers: ['name'],
  ownerReferences: ['uid'],
  ports: ['containerPort', 'port'],
  resourceClaims: ['name'],
  secrets: ['name'],
  taints: ['key'],
  topologySpreadConstraints: ['topologyKey'],
  volumeDevices: ['devicePath'],
  volumeMounts: ['mountPath'],
  volumes: ['name'],
  webhooks: ['name'],
};
const wordLists = new Set(['finalizers', 'podCIDRs']);

type Fields = Record<string, unknown>;

/**
 * A strategic merge patch, which kubectl sends for built-in kinds (`apply`, `edit`, `cordon`, `rollout restart`): a merge patch whose lists merge too.
 * https://github.com/kubernetes/community/blob/master/contributors/devel/sig-api-machinery/strategic-merge-patch.md. The order that `$setElementOrder`
 * asks for is not kept.
 */
export function strategicMerge(live: Fields, patch: Fields): Fields {
  const { $patch: directive, $retainKeys: retained, ...rest } = patch;
  if (directive === 'replace') return withoutDirectives(rest);
  if (directive === 'delete') return {};
  const kept = Array.isArray(retained) ? Object.entries(live).filter(([name]) => retained.includes(name)) : null;
  const merged: Fields = kept ? Object.fromEntries(kept) : { ...live };
  for (const [name, value] of Object.entries(rest)) {
    const [, deletedFrom] = /^\$deleteFromPrimitiveList\/(.+)$/.exec(name) ?? [];
    const list = merged[deletedFrom ?? ''];
    if (deletedFrom !== undefined && Array.isArray(list) && Array.isArray(value))
      merged[deletedFrom] = list.filter((word) => !value.includes(word));
    if (name.startsWith('$')) continue;
    if (value === null) delete merged[name];
    else merged[name] = mergedValue(name, merged[name], value);
  }
  return merged;
}

function mergedValue(name: string, live: unknown, patch: unknown): unknown {
  if (isFields(patch)) return strategicMerge(isFields(live) ? live : {}, patch);
  if (!Array.isArray(patch)) return patch;
  const found: unknown[] = Array.isArray(live) ? live : [];
  if (wordLists.has(name)) return [...new Set([...found, ...patch])];
  const keys = mergeKeys[name] ?? [];
  const key = keys.find((one) => patch.some((item) => isFields(item) && item[one] !== undefined));
  const replaces = patch.some((item) => isFields(item) && item.$patch === 'replace' && Object.keys(item).length === 1);
  if (key === undefined || replaces)
    return patch.filter((item) => !(isFields(item) && '$patch' in item)).map(withoutDirectives);
  const items = [...found];
  for (const item of patch.filter(isFields)) {
    const at = items.findIndex((one) => isFields(one) && one[key] === item[key]);
    const before = items[at];
    if (item.$patch === 'delete') {
      if (at >= 0) items.splice(at, 1);
    } else if (at >= 0 && isFields(before)) items[at] = strategicMerge(before, item);
    else items.push(strategicMerge({}, item));
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
