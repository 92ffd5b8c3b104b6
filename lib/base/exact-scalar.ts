/** Parses JSON (numbers, booleans, null, lists, objects); returns any other text unchanged. */
export function scalar(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** The same, but a number that would be printed differently, such as 1.10, stays text. */
export function exactScalar(value: string): unknown {
  const read = scalar(value);
  return typeof read === 'number' && String(read) !== value ? value : read;
}

/** A value as text from which `exactScalar` reads the same value. */
export function scalarText(value: unknown): string {
  return typeof value === 'string' && exactScalar(value) === value ? value : JSON.stringify(value);
}
