import { isConsoleAway } from '#components/live/away.ts';
import type { Failure } from '#lib/console/host.ts';

/**
 * What a call of an action ended with when it did not end with an answer. The console's door refuses a request before Next sees it (no session any
 * more, a page of another release) with a Failure as text, which Next's router throws as an error's message; anything else means that nobody
 * answered, which is `otherwise`.
 */
export function failureOfCall(error: unknown, otherwise: Failure): Failure {
  if (!(error instanceof Error)) return otherwise;
  try {
    const told: unknown = JSON.parse(error.message);
    return isRefusal(told) ? { ok: false, code: told.code, message: told.message } : otherwise;
  } catch {
    return otherwise;
  }
}

/**
 * Calls an action; `ended` says what becomes of a call that was not answered. While a page waits for the console nothing is called: Next would keep
 * it behind that page, and send it when the console is back and nobody looks.
 */
export function callAction<T, F>(call: () => Promise<T>, ended: (error: unknown) => F): Promise<T | F> {
  if (isConsoleAway()) return Promise.resolve(ended(new Error('A page waits for the console.')));
  return call().catch(ended);
}

function isRefusal(told: unknown): told is { code: string; message: string } {
  return (
    typeof told === 'object' &&
    told !== null &&
    'code' in told &&
    'message' in told &&
    typeof told.code === 'string' &&
    typeof told.message === 'string'
  );
}
