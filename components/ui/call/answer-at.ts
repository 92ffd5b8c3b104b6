/**
 * The console's answer at one of its paths, or why it cannot be read. `is` checks that it is our server's answer; more is not needed, because both sides are of one
 * build. `what`: the subject in the error, *the workloads*.
 */
export async function answerAt<T extends object>(
  path: string,
  { is, what, signal }: { is: (value: unknown) => value is T; what: string; signal: AbortSignal },
): Promise<T | string> {
  try {
    const response = await fetch(path, { signal, cache: 'no-store' });
    const body: unknown = await response.json();
    if (response.ok && is(body)) return body;
    return hasMessage(body) ? body.message : `The console did not answer with ${what}.`;
  } catch {
    return 'The console does not answer.';
  }
}

function hasMessage(value: unknown): value is { message: string } {
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';
}
