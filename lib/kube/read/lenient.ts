import { isRecord } from '#lib/base/records.ts';

/**
 * Readers of objects that anybody may have written. A field of the wrong type counts as absent, and a string is cut at a length that every fact gets by
 * with. Nothing here throws.
 *
 * Plain functions instead of zod: they refuse nothing, so they have nothing to report, and they read every node and pod of a cluster several times.
 */
export type Lenient<T> = { readonly parse: (value: unknown) => T };
export type Parsed<L> = L extends Lenient<infer T> ? T : never;

const longestText = 16_384;

const bounded = (value: string) => (value.length > longestText ? value.slice(0, longestText) : value);

function lenient<T>(parse: (value: unknown) => T): Lenient<T> {
  return { parse };
}

export const text = lenient((value) => (typeof value === 'string' ? bounded(value) : ''));
export const textOrNull = lenient((value) => (typeof value === 'string' ? bounded(value) : null));
export const numberOrNull = lenient((value) => (isNumber(value) ? value : null));
export const flagOrNull = lenient((value) => (typeof value === 'boolean' ? value : null));
export const textOrNumber = lenient((value) => (typeof value === 'string' || isNumber(value) ? value : null));

/** Large text that is parsed again, such as a whole configuration file in a ConfigMap. */
export const document = textUpTo(1_048_576);

/** Text that is useless when cut: null if it is longer. */
export function textUpTo(longest: number): Lenient<string | null> {
  return lenient((value) => (typeof value === 'string' && value.length <= longest ? value : null));
}

/** Any value, unchecked. */
export const anything = lenient((value) => value);

export const recordOrNull = lenient((value): Record<string, unknown> | null => (isRecord(value) ? value : null));

const textOnly = mapOf(lenient((value) => (typeof value === 'string' ? value : undefined)));

/** Labels, annotations, data. Returns the map itself, uncopied, if all its values are text; callers must not change it. */
export const textMap = lenient((value) => (isTextMap(value) ? value : textOnly.parse(value)));

function isTextMap(value: unknown): value is Record<string, string> {
  if (!isRecord(value)) return false;
  for (const key in value) if (typeof value[key] !== 'string') return false;
  return true;
}

/** The values that `element` can read, by key; keys whose value it reads as `undefined` are left out. */
export function mapOf<T>(element: Lenient<T | undefined>): Lenient<Record<string, T>> {
  return lenient((value) => {
    if (!isRecord(value)) return {};
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, one]): [string, T][] => {
        const parsed = element.parse(one);
        return parsed === undefined ? [] : [[key, parsed]];
      }),
    );
  });
}

/** A list with each item read by `element`; empty for a value that is no list. */
export function listOf<T>(element: Lenient<T>): Lenient<T[]> {
  return lenient((value) => (Array.isArray(value) ? value.map(element.parse) : []));
}

export const texts = lenient((value) =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string').map(bounded) : [],
);

/** An object of lenient fields; anything but an object counts as an empty one. */
export function fields<const S extends Readonly<Record<string, Lenient<unknown>>>>(
  shape: S,
): Lenient<{ [K in keyof S]: Parsed<S[K]> }> {
  // `constructor` and other members of Object.prototype count only as own members.
  const members = Object.entries(shape).map(([name, { parse }]) => ({
    name,
    parse,
    isInherited: name in Object.prototype,
  }));
  // Copying an object with all members is faster than adding one member after the other.
  const blank: Record<string, unknown> = Object.fromEntries(members.map(({ name }) => [name, null]));
  return lenient((value) => {
    const given = isRecord(value) ? value : nothing;
    const parsed = { ...blank };
    for (const { name, parse, isInherited } of members)
      parsed[name] = parse(isInherited && !Object.hasOwn(given, name) ? undefined : given[name]);
    return parsed as { [K in keyof S]: Parsed<S[K]> };
  });
}

const nothing: Readonly<Record<string, unknown>> = {};

/** Null if there is no object, for objects whose presence matters (`state.terminated`). */
export function ifThere<T>(element: Lenient<T>): Lenient<T | null> {
  return lenient((value) => (isRecord(value) ? element.parse(value) : null));
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
