/** A fact that no source has. The text says how to find it out; empty in a table that says it once, above its rows. */
export type Unknown = { readonly unknown: string };
export type Known<T> = T | Unknown;

export function isUnknown(value: unknown): value is Unknown {
  return typeof value === 'object' && value !== null && 'unknown' in value;
}
