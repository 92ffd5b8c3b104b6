import { builtinDefinitions, builtinTypeName } from './builtin-definitions.ts';
import type { Schema } from './schema.ts';

/**
 * How a strategic merge patch changes a value: `patchStrategy` and `patchMergeKey` of the Go types of k8s.io/api, by field, as in the server's OpenAPI.
 * `list`: replaced as a whole, a union of scalars, or items matched by a member.
 */
export interface PatchType {
  readonly list: 'replaced' | 'joined' | { readonly mergeKey: string };
  member(name: string): PatchType;
  /** Type of a list's items. */
  readonly item: PatchType;
}

/** The patch type of a built-in kind. In other kinds, and below fields without a schema, maps merge and lists are replaced. */
export function patchTypeOf(group: string, kind: string): PatchType {
  const name = builtinTypeName(group, kind);
  return typeOf(name === undefined ? {} : { ref: name });
}

function typeOf(field: Schema): PatchType {
  // Members beside `ref` describe the field, the others its definition.
  const schema = field.ref === undefined ? field : (builtinDefinitions(field.ref) ?? {});
  return {
    list: listOf(field),
    member: (name) => {
      const { properties = {}, additionalProperties } = schema;
      if (Object.hasOwn(properties, name)) return typeOf(properties[name] ?? {});
      return typeOf(typeof additionalProperties === 'object' ? additionalProperties : {});
    },
    get item() {
      return typeOf(schema.items ?? {});
    },
  };
}

function listOf(field: Schema): PatchType['list'] {
  if (!field['x-kubernetes-patch-strategy']?.split(',').includes('merge')) return 'replaced';
  const mergeKey = field['x-kubernetes-patch-merge-key'];
  return mergeKey === undefined ? 'joined' : { mergeKey };
}
