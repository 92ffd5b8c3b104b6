import { builtinDefinitions, builtinTypeName } from './builtin-definitions.ts';
import type { Schema } from './schema.ts';

/**
 * How a value takes a strategic merge patch: `patchStrategy` and `patchMergeKey` of the Go types of k8s.io/api, by field, as the server's OpenAPI
 * names them. `list`: replaced as a whole, words that are joined, or items that are matched by a member.
 */
export interface PatchType {
  readonly list: 'replaced' | 'joined' | { readonly mergeKey: string };
  member(name: string): PatchType;
  /** Of a list. */
  readonly item: PatchType;
}

/** Of a built-in kind; of any other, and below what no schema knows, maps merge and lists are replaced. */
export function patchTypeOf(group: string, kind: string): PatchType {
  const name = builtinTypeName(group, kind);
  return typeOf(name === undefined ? {} : { ref: name });
}

function typeOf(field: Schema): PatchType {
  // What stands beside a reference is said of the field, the rest of what it refers to.
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
