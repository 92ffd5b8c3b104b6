/** JSON where it is JSON (numbers, booleans, null, lists, objects), else the text itself. */
export function scalar(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** The same, but a number that would come back as another text, such as 1.10, stays the text. */
export function exactScalar(value: string): unknown {
  const read = scalar(value);
  return typeof read === 'number' && String(read) !== value ? value : read;
}

/** A value as somebody would type it, so that `exactScalar` reads it again. */
export function scalarText(value: unknown): string {
  return typeof value === 'string' && exactScalar(value) === value ? value : JSON.stringify(value);
}
