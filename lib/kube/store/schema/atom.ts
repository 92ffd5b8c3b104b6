import type { Definitions, Schema } from './schema.ts';

/**
 * How a value merges: structured-merge-diff's schema.Atom, made from OpenAPI like kube-openapi's schemaconv.
 * A value without a declared type has all three forms; the one that fits the value is used.
 */
export type Atom = { readonly scalar?: Scalar; readonly list?: ListAtom; readonly map?: MapAtom };

export type Scalar = 'numeric' | 'string' | 'boolean' | 'untyped';

/** An associative list with empty `keys` is a set of scalars. */
export type ListAtom = {
  readonly relationship: 'atomic' | 'associative';
  readonly keys: readonly string[];
  readonly element: TypeRef;
};

export type MapAtom = {
  readonly atomic: boolean;
  readonly fields: ReadonlyMap<string, FieldType>;
  /** Type of undeclared members; null if there may be none. */
  readonly element: TypeRef | null;
};

type FieldType = { readonly type: TypeRef; readonly default: unknown };

/** Resolved on demand, because there are many built-in definitions and some refer to themselves. */
export interface TypeRef {
  readonly atom: Atom;
}

const untyped: TypeRef = {
  get atom(): Atom {
    return untypedAtom;
  },
};
const untypedAtom: Atom = {
  scalar: 'untyped',
  list: { relationship: 'atomic', keys: [], element: untyped },
  map: { atomic: true, fields: new Map(), element: untyped },
};

/** The type of a value without a schema: maps merge by member, lists are atomic. */
const deduced: TypeRef = {
  get atom(): Atom {
    return deducedAtom;
  },
};
const deducedAtom: Atom = {
  scalar: 'untyped',
  list: { relationship: 'atomic', keys: [], element: untyped },
  map: { atomic: false, fields: new Map(), element: deduced },
};

/** The type that a schema describes. `preserve` is inherited: below x-kubernetes-preserve-unknown-fields any field is allowed. */
export function typeOf(schema: Schema, definitions: Definitions, preserve: 'prune' | 'preserve' = 'prune'): TypeRef {
  let resolved: Atom | undefined;
  return {
    get atom(): Atom {
      resolved ??= resolve(schema, definitions, preserve);
      return resolved;
    },
  };
}

function resolve(schema: Schema, definitions: Definitions, preserve: 'prune' | 'preserve'): Atom {
  if (schema.ref === undefined) return atomOf(schema, definitions, preserve);
  const definition = definitions(schema.ref);
  const atom = definition ? atomOf(definition, definitions, 'prune') : deducedAtom;
  const override = schema['x-kubernetes-map-type'];
  if (override === undefined || !atom.map) return atom;
  return { map: { ...atom.map, atomic: override === 'atomic' } };
}

function atomOf(schema: Schema, definitions: Definitions, inherited: 'prune' | 'preserve'): Atom {
  const preserve = schema['x-kubernetes-preserve-unknown-fields'] ? 'preserve' : inherited;
  switch (schema.type) {
    case undefined:
    case '':
      return {
        scalar: 'untyped',
        list: listOf(schema, definitions, preserve),
        map: mapOf(schema, definitions, preserve),
      };
    case 'object':
      return { map: mapOf(schema, definitions, preserve) };
    case 'array':
      return { list: listOf(schema, definitions, preserve) };
    case 'integer':
    case 'number':
      return { scalar: 'numeric' };
    case 'boolean':
      return { scalar: 'boolean' };
    case 'string':
      return {
        scalar: schema.format === undefined || schema.format === '' || schema.format === 'byte' ? 'string' : 'untyped',
      };
    default:
      return { scalar: 'untyped' };
  }
}

function mapOf(schema: Schema, definitions: Definitions, preserve: 'prune' | 'preserve'): MapAtom {
  const properties = Object.entries(schema.properties ?? {});
  const fields = new Map(
    properties.map(([name, member]) => [
      name,
      { type: typeOf(member, definitions, preserve), default: member.default },
    ]),
  );
  const { additionalProperties } = schema;
  let element: TypeRef | null = null;
  if (additionalProperties === undefined) element = preserve === 'preserve' || properties.length === 0 ? deduced : null;
  else if (additionalProperties === true) element = deduced;
  else if (additionalProperties !== false) element = typeOf(additionalProperties, definitions, preserve);
  return { atomic: schema['x-kubernetes-map-type'] === 'atomic', fields, element };
}

function listOf(schema: Schema, definitions: Definitions, preserve: 'prune' | 'preserve'): ListAtom {
  const element = schema.items ? typeOf(schema.items, definitions, preserve) : untyped;
  return { ...relationshipOf(schema), element };
}

function relationshipOf(schema: Schema): Pick<ListAtom, 'relationship' | 'keys'> {
  const listType = schema['x-kubernetes-list-type'];
  if (listType === 'set') return { relationship: 'associative', keys: [] };
  if (listType === 'map') return { relationship: 'associative', keys: schema['x-kubernetes-list-map-keys'] ?? [] };
  if (listType !== undefined) return { relationship: 'atomic', keys: [] };
  if (schema['x-kubernetes-patch-strategy']?.startsWith('merge')) {
    const key = schema['x-kubernetes-patch-merge-key'];
    return { relationship: 'associative', keys: key === undefined ? [] : [key] };
  }
  return { relationship: 'atomic', keys: [] };
}

/** The form of an atom that fits a value; the whole atom if none does. Null and absent values fit every form. */
export function formFor(atom: Atom, value: unknown): Atom {
  if (value === undefined || value === null) return atom;
  if (Array.isArray(value)) return atom.list ? { list: atom.list } : atom;
  if (typeof value === 'object') return atom.map ? { map: atom.map } : atom;
  return atom.scalar ? { scalar: atom.scalar } : atom;
}

/** Whether two atoms describe a value in the same way. Compares identities, because atoms of a schema are shared. */
export function sameForm(a: Atom, b: Atom): boolean {
  return a.scalar === b.scalar && a.list === b.list && a.map === b.map;
}
