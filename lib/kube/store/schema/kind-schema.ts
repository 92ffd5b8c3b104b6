import type { KubeObject } from '../../object.ts';
import { copy } from '../json.ts';
import { type TypeRef, typeOf } from './atom.ts';
import { builtinDefinitions } from './builtin-definitions.ts';
import { type Findings, normalize } from './normalize.ts';
import type { Schema } from './schema.ts';
import type { Problem } from './schema-problems.ts';

/** What a kind's schema decides. Implemented for built-in kinds, for kinds of definitions and for kinds without a schema. */
export interface KindSchema {
  /** How objects merge. */
  readonly type: TypeRef;
  /** Reads an object like the server reads a request: unknown fields are dropped and returned by name. */
  decode(object: KubeObject): { object: KubeObject } & Findings;
  /** Fills in defaults, in place. */
  setDefaults(object: KubeObject): void;
  /** Why the object cannot be stored. `live` is null when it is being created. */
  problems(object: KubeObject, live: KubeObject | null): Problem[];
}

export const objectMetaSchema: Schema = { ref: 'meta.v1.ObjectMeta' };

/** Metadata as the server reads it, in all kinds. */
export function decodeMetadata(object: KubeObject, found: Findings): KubeObject['metadata'] {
  return normalize(object.metadata, objectMetaSchema, builtinDefinitions, found, 'metadata') as KubeObject['metadata'];
}

/** For kinds of which only the name is known: all fields are allowed, maps merge by member, lists are atomic. */
export const schemaless: KindSchema = {
  type: typeOf(
    {
      type: 'object',
      properties: { metadata: objectMetaSchema },
      'x-kubernetes-preserve-unknown-fields': true,
    },
    builtinDefinitions,
  ),
  decode: (object) => {
    const found: Findings = { unknown: [], wrong: [] };
    return { object: { ...copy(object), metadata: decodeMetadata(object, found) }, ...found };
  },
  setDefaults: () => undefined,
  problems: () => [],
};
