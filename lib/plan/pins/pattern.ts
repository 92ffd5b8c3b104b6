import { isRecord } from '#lib/base/records.ts';

/**
 * Describes the form of plain data. Data matches itself, field by field, with no other field; a function decides about its value (undefined: the
 * field is absent).
 */
export type Pattern = string | number | boolean | null | undefined | Fits | readonly Pattern[] | PatternRecord;
export type Fits = (value: unknown) => boolean;
type PatternRecord = { readonly [key: string]: Pattern };

/** Whether a value has the form of the pattern. Pure. */
export function fits(value: unknown, pattern: Pattern): boolean {
  if (typeof pattern === 'function') return pattern(value);
  if (isPatterns(pattern))
    return Array.isArray(value) && value.length === pattern.length && pattern.every((one, at) => fits(value[at], one));
  if (typeof pattern !== 'object' || pattern === null) return value === pattern;
  if (!isRecord(value)) return false;
  return (
    Object.keys(value).every((key) => value[key] === undefined || Object.hasOwn(pattern, key)) &&
    Object.entries(pattern).every(([key, one]) => fits(Object.hasOwn(value, key) ? value[key] : undefined, one))
  );
}

function isPatterns(pattern: Pattern): pattern is readonly Pattern[] {
  return Array.isArray(pattern);
}

/** Matches data that equals this; patterns within it count as in `fits`. */
export function exactly(data: unknown): Fits {
  return (value) => fits(value, data as Pattern);
}

/** Matches what one of these patterns matches. */
export function either(...patterns: readonly Pattern[]): Fits {
  return (value) => patterns.some((one) => fits(value, one));
}

/** A field that may be absent; if it is there, it fits the pattern. */
export function maybe(pattern: Pattern): Fits {
  return (value) => value === undefined || fits(value, pattern);
}

/** Text in which the expression matches: anchored (`^…$`) it describes the whole text. */
export function text(form: RegExp): Fits {
  return (value) => typeof value === 'string' && form.test(value);
}

/** A whole number within these limits, both included. */
export function integer(least: number, most: number): Fits {
  return (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}

/** True or false, and no text that reads so. */
export const bool: Fits = (value) => typeof value === 'boolean';
/** Text that somebody else wrote: annotations, paths and addresses. */
export const shortText: Fits = (value) => typeof value === 'string' && value.length <= 1024;
/** Text of any length. */
export const anyText: Fits = (value) => typeof value === 'string';
/** Any value; the field must be present. */
export const anyData: Fits = (value) => value !== undefined;

/** A list, maybe empty, whose items all fit. */
export function listOf(pattern: Pattern): Fits {
  return (value) => Array.isArray(value) && value.every((one) => fits(one, pattern));
}

/** A record with any keys, whose values all fit. */
export function mapOf(pattern: Pattern): Fits {
  return (value) => isRecord(value) && Object.values(value).every((one) => fits(one, pattern));
}

export type Item = Pattern | { readonly onceOrNever: Pattern } | { readonly often: Pattern };

/** An item of `inOrder` that occurs once or not at all. */
export function onceOrNever(pattern: Pattern) {
  return { onceOrNever: pattern };
}

/** An item of `inOrder` that occurs once or more often. */
export function often(pattern: Pattern) {
  return { often: pattern };
}

/** A list whose items come in this order, with none left over. Optional and repeated items are tried in all ways. */
export function inOrder(...items: readonly Item[]): Fits {
  return (value) => Array.isArray(value) && restFits(value, items);
}

function restFits(values: readonly unknown[], [item, ...items]: readonly Item[]): boolean {
  if (item === undefined) return values.length === 0;
  if (isRecord(item) && 'onceOrNever' in item)
    return restFits(values, items) || (fits(values[0], item.onceOrNever) && restFits(values.slice(1), items));
  if (isRecord(item) && 'often' in item) {
    if (values.length === 0 || !fits(values[0], item.often)) return false;
    return restFits(values.slice(1), items) || restFits(values.slice(1), [item, ...items]);
  }
  return values.length > 0 && fits(values[0], item) && restFits(values.slice(1), items);
}
