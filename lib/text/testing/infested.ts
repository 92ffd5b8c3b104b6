import { isRecord } from '#lib/base/records.ts';
import { canary } from './canaries.ts';

/** Fields of `metadata` and of the top level that stay: without them it would be a different object, or none. */
const identity = new Set([
  'apiVersion',
  'kind',
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generateName',
  'creationTimestamp',
  'ownerReferences',
  'managedFields',
  'finalizers',
]);
/** Fields with sentences, descriptions of a machine, or arbitrary content; few decisions depend on them. */
const free =
  /^(?:message|note|description|osImage|containerRuntimeVersion|because|title|why|detail|reason|text|answer|startedBy)$/;

/**
 * The object with a canary in each of its texts, and in added labels and annotations. `everywhere`: also in fields on which decisions depend, so that
 * the cluster looks broken; `free text`: only in fields with arbitrary content.
 */
export function infested<T extends object>(object: T, where: 'everywhere' | 'free text'): T;
export function infested(object: object, where: 'everywhere' | 'free text'): object {
  const { metadata, ...rest } = object as Fields;
  const body = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, identity.has(key) ? value : withCanaries(value, [key], where)]),
  );
  const about = isRecord(metadata) ? metadata : {};
  const own = Object.fromEntries(
    Object.entries(about).map(([key, value]) => [
      key,
      identity.has(key) ? value : withCanaries(value, ['metadata', key], where),
    ]),
  );
  const added = (key: 'labels' | 'annotations') => ({
    ...(isRecord(own[key]) ? own[key] : {}),
    [`canary.example/${key}`]: canary(`${key}`),
  });
  return { ...body, metadata: { ...own, labels: added('labels'), annotations: added('annotations') } };
}

function withCanaries(value: unknown, path: readonly string[], where: 'everywhere' | 'free text'): unknown {
  const key = path.at(-1) ?? '';
  if (typeof value === 'string')
    return where === 'everywhere' || free.test(key) ? value + canary(path.join('.')) : value;
  if (Array.isArray(value)) return value.map((one) => withCanaries(one, path, where));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withCanaries(inner, [...path, name], where)]),
  );
}

type Fields = Record<string, unknown>;
