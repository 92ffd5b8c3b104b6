import { type GoPattern, goPattern } from '#lib/base/patterns/go-pattern.ts';
import { isRecord, same } from '#lib/base/records.ts';
import type { Schema } from './schema.ts';

export type Problem = { field: string; message: string };

/** Violations of a structural schema: type, required, enum, pattern, range and length. Messages follow the server's. */
export function schemaProblems(value: unknown, schema: Schema, path = ''): Problem[] {
  if (schema.ref !== undefined) return [];
  if (value === null && schema.nullable) return [];
  if (schema['x-kubernetes-int-or-string']) {
    return typeof value === 'string' || Number.isInteger(value) ? [] : [wrongType(path, 'integer,string', value)];
  }
  const found: Problem[] = [];
  if (schema.type !== undefined && schema.type !== '' && !hasType(value, schema.type))
    return [wrongType(path, schema.type, value)];
  if (schema.enum && !schema.enum.some((allowed) => same(allowed, value))) {
    const allowed = schema.enum.map((item) => JSON.stringify(item)).join(', ');
    found.push({ field: path, message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${allowed}` });
  }
  if (typeof value === 'string') found.push(...textProblems(value, schema, path));
  if (typeof value === 'number') found.push(...numberProblems(value, schema, path));
  if (Array.isArray(value)) found.push(...listProblems(value, schema, path));
  if (isRecord(value)) {
    for (const name of schema.required ?? []) {
      if (!Object.hasOwn(value, name)) found.push({ field: join(path, name), message: 'Required value' });
    }
    for (const [name, member] of Object.entries(value)) {
      const declared =
        schema.properties && Object.hasOwn(schema.properties, name)
          ? schema.properties[name]
          : schema.additionalProperties;
      if (isRecord(declared)) found.push(...schemaProblems(member, declared, join(path, name)));
    }
  }
  return found;
}

function textProblems(value: string, schema: Schema, field: string): Problem[] {
  const found: Problem[] = [];
  if (!matches(schema, value)) {
    found.push({
      field,
      message: `Invalid value: ${JSON.stringify(value)}: ${field} in body should match '${schema.pattern}'`,
    });
  }
  const { length } = [...value];
  if (schema.minLength !== undefined && length < schema.minLength) {
    found.push({
      field,
      message: `Invalid value: ${JSON.stringify(value)}: should be at least ${schema.minLength} chars long`,
    });
  }
  if (schema.maxLength !== undefined && length > schema.maxLength) {
    found.push({ field, message: `Too long: may not be more than ${schema.maxLength} bytes` });
  }
  return found;
}

/** Each schema's pattern, read once; null: Go cannot read it. */
const patterns = new WeakMap<Schema, GoPattern | null>();

/** A pattern that Go cannot read matches everything: no server has such a schema. */
function matches(schema: Schema, value: string): boolean {
  if (schema.pattern === undefined) return true;
  let pattern = patterns.get(schema);
  if (pattern === undefined) {
    pattern = goPattern(schema.pattern);
    patterns.set(schema, pattern);
  }
  return pattern === null || pattern.test(value);
}

function numberProblems(value: number, schema: Schema, field: string): Problem[] {
  const found: Problem[] = [];
  if (schema.minimum !== undefined && value < schema.minimum) {
    found.push({ field, message: `Invalid value: ${value}: should be greater than or same to ${schema.minimum}` });
  }
  if (schema.maximum !== undefined && value > schema.maximum) {
    found.push({ field, message: `Invalid value: ${value}: should be less than or same to ${schema.maximum}` });
  }
  return found;
}

function listProblems(value: readonly unknown[], schema: Schema, field: string): Problem[] {
  const found: Problem[] = [];
  if (schema.minItems !== undefined && value.length < schema.minItems) {
    found.push({ field, message: `Invalid value: ${value.length}: should have at least ${schema.minItems} items` });
  }
  if (schema.maxItems !== undefined && value.length > schema.maxItems) {
    found.push({ field, message: `Too many: ${value.length}: must have at most ${schema.maxItems} items` });
  }
  const seen = new Set<string>();
  value.forEach((item, index) => {
    const at = `${field}[${index}]`;
    const key = identity(item, schema);
    if (key !== null) {
      if (seen.has(key)) found.push({ field: at, message: `Duplicate value: ${key}` });
      seen.add(key);
    }
    if (schema.items) found.push(...schemaProblems(item, schema.items, at));
  });
  return found;
}

/** What must be unique in a set or a map-list; null for other lists. */
function identity(item: unknown, schema: Schema): string | null {
  if (schema['x-kubernetes-list-type'] === 'set') return JSON.stringify(item);
  const keys = schema['x-kubernetes-list-type'] === 'map' ? schema['x-kubernetes-list-map-keys'] : undefined;
  if (!keys || !isRecord(item)) return null;
  return JSON.stringify(Object.fromEntries(keys.map((key) => [key, item[key]])));
}

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'object':
      return isRecord(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function wrongType(field: string, type: string, value: unknown): Problem {
  const given = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return { field, message: `Invalid value: "${given}": ${field} in body must be of type ${type}: "${given}"` };
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
