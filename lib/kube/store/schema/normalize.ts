import { type Fields, isRecord } from '#lib/base/records.ts';
import { copy, define } from '../json.ts';
import type { Definitions, Schema } from './schema.ts';

/** Unknown fields and values of a wrong type that reading an object found. Paths are in the server's form. */
export type Findings = { unknown: string[]; wrong: { field: string; message: string }[] };

/**
 * A value after Go has decoded and encoded it: unknown fields, nulls and zero values of fields with `omitempty` are dropped, and
 * fields without it are written even if they were absent.
 */
export function normalize(
  value: unknown,
  schema: Schema,
  definitions: Definitions,
  found: Findings,
  path = '',
): unknown {
  const resolved = schema.ref === undefined ? schema : (definitions(schema.ref) ?? {});
  switch (resolved.type) {
    case 'object':
      if (!isRecord(value)) return wrong(value, 'object', path, found, {});
      if (resolved.properties) return normalizeStruct(value, resolved.properties, definitions, found, path);
      if (isRecord(resolved.additionalProperties)) {
        return normalizeMap(value, resolved.additionalProperties, definitions, found, path);
      }
      return copy(value);
    case 'array':
      if (!Array.isArray(value)) return wrong(value, 'array', path, found, []);
      return value.map((item, index) =>
        item === null
          ? zeroOf(resolved.items ?? {}, definitions)
          : normalize(item, resolved.items ?? {}, definitions, found, `${path}[${index}]`),
      );
    case 'string':
      return normalizeText(value, resolved, path, found);
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value) ? value : wrong(value, 'integer', path, found, 0);
    case 'number':
      return typeof value === 'number' ? value : wrong(value, 'number', path, found, 0);
    case 'boolean':
      return typeof value === 'boolean' ? value : wrong(value, 'boolean', path, found, false);
    default:
      return copy(value);
  }
}

const known = new WeakMap<object, readonly (readonly [string, Schema])[]>();

/** Cached, because a Pod's spec has forty fields and is read thousands of times. */
function entriesOf(properties: Readonly<Record<string, Schema>>): readonly (readonly [string, Schema])[] {
  const made = known.get(properties) ?? Object.entries(properties);
  known.set(properties, made);
  return made;
}

function normalizeStruct(
  value: Fields,
  properties: Readonly<Record<string, Schema>>,
  definitions: Definitions,
  found: Findings,
  path: string,
): Fields {
  const out: Fields = {};
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(properties, name)) found.unknown.push(path === '' ? name : `${path}.${name}`);
  }
  for (const [name, schema] of entriesOf(properties)) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    if (given === undefined || given === null) {
      const zero = schema.zero === 'written' ? zeroOf(schema, definitions) : undefined;
      if (zero !== undefined) out[name] = zero;
      continue;
    }
    const member = normalize(given, schema, definitions, found, path === '' ? name : `${path}.${name}`);
    if (schema.zero === 'dropped' && isZero(member)) continue;
    out[name] = member;
  }
  return out;
}

function normalizeMap(value: Fields, member: Schema, definitions: Definitions, found: Findings, path: string): Fields {
  const out: Fields = {};
  for (const [name, given] of Object.entries(value)) {
    define(
      out,
      name,
      given === null ? zeroOf(member, definitions) : normalize(given, member, definitions, found, `${path}.${name}`),
    );
  }
  return out;
}

function normalizeText(value: unknown, schema: Schema, path: string, found: Findings): unknown {
  if (schema.format === 'quantity' && typeof value === 'number') return String(value);
  if (schema.format === 'int-or-string' && typeof value === 'number') return value;
  return typeof value === 'string' ? value : wrong(value, 'string', path, found, '');
}

function wrong(value: unknown, expected: string, path: string, found: Findings, zero: unknown): unknown {
  const given = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  found.wrong.push({ field: path, message: `cannot unmarshal ${given} into a field of type ${expected}` });
  return zero;
}

/** The value that Go writes for an absent field; undefined if it leaves it out. */
function zeroOf(schema: Schema, definitions: Definitions): unknown {
  const resolved = schema.ref === undefined ? schema : (definitions(schema.ref) ?? {});
  switch (resolved.type) {
    case 'object':
      if (!resolved.properties) return undefined;
      return normalizeStruct({}, resolved.properties, definitions, { unknown: [], wrong: [] }, '');
    case 'string':
      return resolved.format === undefined || resolved.format === ''
        ? ''
        : resolved.format === 'int-or-string'
          ? 0
          : undefined;
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    default:
      return undefined;
  }
}

function isZero(value: unknown): boolean {
  if (value === '' || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.keys(value).length === 0;
}
