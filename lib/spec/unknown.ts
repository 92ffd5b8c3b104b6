/** A fact that nothing we have read tells. The text says what would tell it, so that whoever can look knows where. */
export type Unknown = { readonly unknown: string };
export type Known<T> = T | Unknown;

export function isUnknown(value: unknown): value is Unknown {
  return typeof value === 'object' && value !== null && 'unknown' in value;
}
