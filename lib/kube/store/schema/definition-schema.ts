import { type Fields, isRecord } from '#lib/base/records.ts';
import type { KubeObject } from '../../object.ts';
import { copy } from '../json.ts';
import { typeOf } from './atom.ts';
import { builtinDefinitions } from './builtin-definitions.ts';
import { decodeMetadata, type KindSchema, objectMetaSchema, schemaless } from './kind-schema.ts';
import type { Findings } from './normalize.ts';
import type { Schema } from './schema.ts';
import { schemaProblems } from './schema-problems.ts';

/**
 * The schema of a custom resource, from its CustomResourceDefinition: pruning, defaulting and validation by structural schemas.
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/
 * CEL rules and value validations other than enum, pattern, range, length and required are not modelled.
 */
export function schemaOfDefinition(definition: KubeObject, version: string): KindSchema {
  const root = openApiSchemaOf(definition, version);
  if (!root) return schemaless;
  const spec = definition.spec;
  const preserveAll = isRecord(spec) && spec.preserveUnknownFields === true;
  const merged: Schema = {
    ...root,
    properties: {
      ...root.properties,
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: objectMetaSchema,
    },
  };
  return {
    type: typeOf(merged, builtinDefinitions, preserveAll ? 'preserve' : 'prune'),
    decode: (given) => {
      const found: Findings = { unknown: [], wrong: [] };
      const { apiVersion, kind, metadata: _, ...rest } = given;
      const fields: Fields = copy(rest);
      if (!preserveAll) {
        prune(fields, root, '', found);
        dropNulls(fields, root);
      }
      return { object: { apiVersion, kind, metadata: decodeMetadata(given, found), ...fields }, ...found };
    },
    setDefaults: (object) => {
      const { properties = {}, ...others } = root;
      const { metadata: _, apiVersion: __, kind: ___, ...ours } = properties;
      setDefaults(object, { ...others, properties: ours });
    },
    problems: (object) => schemaProblems(object, merged),
  };
}

/** The schema in a definition, which is not validated: parts of an unexpected shape are ignored. */
function openApiSchemaOf(definition: KubeObject, version: string): Schema | null {
  const spec = definition.spec;
  if (!isRecord(spec) || !Array.isArray(spec.versions)) return null;
  const found = spec.versions.filter(isRecord).find(({ name }) => name === version);
  if (!found || !isRecord(found.schema) || !isRecord(found.schema.openAPIV3Schema)) return null;
  return found.schema.openAPIV3Schema as Schema;
}

/** Removes fields that the schema does not have. apiextensions-apiserver pkg/apiserver/schema/pruning. */
function prune(value: unknown, schema: Schema | undefined, path: string, found: Findings): void {
  if (Array.isArray(value)) {
    // As of a map, it keeps what it says nothing about.
    if (schema?.['x-kubernetes-preserve-unknown-fields'] && !schema.items) return;
    value.forEach((item, index) => {
      prune(item, schema?.items, `${path}[${index}]`, found);
    });
    return;
  }
  if (!isRecord(value)) return;
  const embedded = schema?.['x-kubernetes-embedded-resource'] === true;
  for (const name of Object.keys(value)) {
    if (embedded && (name === 'apiVersion' || name === 'kind' || name === 'metadata')) continue;
    const at = path === '' ? name : `${path}.${name}`;
    const member = memberSchema(schema, name);
    if (member) prune(value[name], member, at, found);
    else if (!schema?.['x-kubernetes-preserve-unknown-fields']) {
      found.unknown.push(at);
      delete value[name];
    }
  }
}

function memberSchema(schema: Schema | undefined, name: string): Schema | undefined {
  if (schema?.properties && Object.hasOwn(schema.properties, name)) return schema.properties[name];
  const additional = schema?.additionalProperties;
  if (additional === true) return { 'x-kubernetes-preserve-unknown-fields': true };
  return isRecord(additional) ? additional : undefined;
}

/** Removes nulls of fields that are not nullable and have no default. …/schema/defaulting/prunenulls.go */
function dropNulls(value: unknown, schema: Schema | undefined): void {
  if (Array.isArray(value)) for (const item of value) dropNulls(item, schema?.items);
  if (!isRecord(value)) return;
  for (const name of Object.keys(value)) {
    const member = memberSchema(schema, name);
    if (value[name] === null && member && !member.nullable && member.default === undefined) delete value[name];
    else dropNulls(value[name], member);
  }
}

/** …/schema/defaulting/algorithm.go */
function setDefaults(value: unknown, schema: Schema | undefined): void {
  if (!schema) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      if (item === null && schema.items && !schema.items.nullable && schema.items.default !== undefined) {
        value[index] = copy(schema.items.default);
      }
      setDefaults(value[index], schema.items);
    });
    return;
  }
  if (!isRecord(value)) return;
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (member.default === undefined) continue;
    if (!Object.hasOwn(value, name) || (value[name] === null && !member.nullable)) value[name] = copy(member.default);
  }
  for (const name of Object.keys(value)) {
    const member = memberSchema(schema, name);
    if (value[name] === null && member && !member.nullable && member.default !== undefined)
      value[name] = copy(member.default);
    setDefaults(value[name], member);
  }
}
