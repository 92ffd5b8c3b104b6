const longestPath = 1000;
const notOfPath = /[^A-Za-z0-9_.[\]-]/;

/**
 * Fields that server-side apply does not know, from its message: `.spec.bfp: field not declared in schema`. The message is cut at these words: to search for
 * each field before them takes time that grows with the square of a message that is all dots.
 */
export function undeclaredFields(message: string): { field: string; message: string }[] {
  const before = message.split(': field not declared in schema').slice(0, -1);
  return before.flatMap((text) => {
    const path = text.slice(-longestPath).split(notOfPath).at(-1) ?? '';
    const field = path.slice(path.indexOf('.') + 1);
    return path.includes('.') && field !== '' ? [{ field, message: 'unknown field' }] : [];
  });
}
