import { isRecord, valueAt } from '#lib/base/records.ts';
import { writersOf } from '#lib/facts/index.ts';
import { isKubeError, type Kube, type KubeObject } from '#lib/kube/index.ts';
import type { Act } from '#lib/plan/index.ts';
import { names, type ObjectRef, objectId, resources } from '#lib/spec/index.ts';
import { pathText } from './fields.ts';

type Body = Record<string, unknown>;
type Patch = Extract<Act, { kind: 'merge-patch' }>;

/**
 * The object whose managedFields tell who wrote the fields of this one: the stored object, because Calico's own API counts as the writer of
 * everything that is written through it. Null if it may not be read: then no field is known to be the operator's.
 */
export async function writerRecord(
  kube: Kube,
  { resource, ...ref }: ObjectRef,
  signal?: AbortSignal,
): Promise<KubeObject | null> {
  const stored = Object.values(resources).find(
    ({ group, kind }) =>
      resource.group === 'projectcalico.org' && group === 'crd.projectcalico.org' && kind === resource.kind,
  );
  try {
    return await kube.get({ ...ref, resource: stored ?? resource }, signal ? { signal } : {});
  } catch (error) {
    if (isKubeError(error, 'forbidden', 'not-served')) return null;
    throw error;
  }
}

/** The other writer of this field, for a sentence; null if only Calico's operator wrote it, or it does not exist. */
export function otherWriter(object: unknown, record: KubeObject | null, path: readonly string[]): string | null {
  if ((valueAt(object, path) ?? undefined) === undefined) return null;
  const writers = record === null ? [] : writersOf(record, path).map(({ manager }) => manager);
  const others = [...new Set(writers.filter((manager) => manager !== names.operatorFieldManager))];
  if (writers.length === 0) return 'nobody known';
  return others.length === 0 ? null : others.join(' and ');
}

/** The patch without fields of other writers (null: nothing is left), and a sentence about each field that was left out. Rejects with a KubeError. */
export async function withoutFieldsOfOthers(
  kube: Kube,
  patch: Patch,
  signal?: AbortSignal,
): Promise<{ act: Patch | null; left: string[] }> {
  if (patch.whose === undefined) return { act: patch, left: [] };
  const live = await kube.get(patch.target, signal ? { signal } : {});
  const record = await writerRecord(kube, patch.target, signal);
  const left: string[] = [];
  const ownFields = (body: Body, above: readonly string[]): Body =>
    Object.fromEntries(
      Object.entries(body).flatMap(([key, value]): [string, unknown][] => {
        const path = [...above, key];
        if (isRecord(value) && isRecord(valueAt(live, path))) {
          const inner = ownFields(value, path);
          return Object.keys(inner).length === 0 ? [] : [[key, inner]];
        }
        const other = otherWriter(live, record, path);
        if (other === null) return [[key, value]];
        left.push(`${objectId(patch.target)}: ${pathText(path)} stays as it is, as ${other} wrote it.`);
        return [];
      }),
    );
  const body = ownFields(patch.body, []);
  return { act: Object.keys(body).length === 0 ? null : { ...patch, body }, left };
}
