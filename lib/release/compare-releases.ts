import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '#lib/base/records.ts';
import type { ManifestObject, ReleaseContents } from '#lib/spec/index.ts';
import { parseApiVersion } from '#lib/spec/index.ts';

export type ReleaseDifference = {
  /** Objects by name, `apps/Deployment tigera-operator/tigera-operator`. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly {
    readonly object: string;
    /** For a CustomResourceDefinition: fields of `spec` that only one of the releases has, by dotted path. */
    readonly fields: { readonly added: readonly string[]; readonly removed: readonly string[] };
  }[];
};

/** Objects that an upgrade between the releases adds, removes and changes, compared across all files. */
export function compareReleases(from: ReleaseContents, to: ReleaseContents): ReleaseDifference {
  const before = objectsOf(from);
  const after = objectsOf(to);
  return {
    added: [...after.keys()].filter((id) => !before.has(id)),
    removed: [...before.keys()].filter((id) => !after.has(id)),
    changed: [...after].flatMap(([id, object]) => {
      const earlier = before.get(id);
      if (earlier === undefined || isDeepStrictEqual(earlier, object)) return [];
      return [{ object: id, fields: fieldsBetween(earlier, object) }];
    }),
  };
}

/** Objects by name. The first occurrence counts, because the custom resources for eBPF repeat others. */
function objectsOf({ manifests }: ReleaseContents): ReadonlyMap<string, ManifestObject> {
  const objects = new Map<string, ManifestObject>();
  for (const { objects: all } of Object.values(manifests))
    for (const object of all) if (!objects.has(idOf(object))) objects.set(idOf(object), object);
  return objects;
}

function idOf({ apiVersion, kind, metadata }: ManifestObject): string {
  const { group } = parseApiVersion(apiVersion);
  return `${group === '' ? '' : `${group}/`}${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
}

function fieldsBetween(before: ManifestObject, after: ManifestObject) {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  return {
    added: topmost([...now].filter((field) => !old.has(field))),
    removed: topmost([...old].filter((field) => !now.has(field))),
  };
}

/** Only the topmost of new fields, without those below them. */
function topmost(fields: readonly string[]): readonly string[] {
  const all = new Set(fields);
  const isBelowAnother = (field: string) => {
    for (let end = field.lastIndexOf('.'); end > 0; end = field.lastIndexOf('.', end - 1))
      if (all.has(field.slice(0, end).replace(/(?:\[\])+$/, ''))) return true;
    return false;
  };
  return fields.filter((field) => !isBelowAnother(field));
}

function fieldsOf({ kind, spec }: ManifestObject): ReadonlySet<string> {
  const fields = new Set<string>();
  if (kind !== 'CustomResourceDefinition' || !isRecord(spec) || !Array.isArray(spec.versions)) return fields;
  for (const version of spec.versions.filter(isRecord)) {
    const schema = isRecord(version.schema) ? version.schema.openAPIV3Schema : undefined;
    const root = isRecord(schema) && isRecord(schema.properties) ? schema.properties.spec : undefined;
    addFields(fields, root, 'spec');
  }
  return fields;
}

function addFields(fields: Set<string>, schema: unknown, path: string): void {
  if (!isRecord(schema)) return;
  addFields(fields, schema.items, `${path}[]`);
  if (!isRecord(schema.properties)) return;
  for (const [name, below] of Object.entries(schema.properties)) {
    fields.add(`${path}.${name}`);
    addFields(fields, below, `${path}.${name}`);
  }
}
