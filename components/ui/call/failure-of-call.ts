import { isSentAtOnce } from '#components/live/away.ts';
import type { Failure } from '#lib/console/host.ts';

/**
 * The failure of an action without an answer. The console's server refuses a request before Next gets it (no session, a page of another release) with a Failure as
 * text, which Next's router throws as an error's message. Any other error means that there was no answer: `otherwise`.
 */
export function failureOfCall(error: unknown, otherwise: Failure): Failure {
  if (!(error instanceof Error)) return otherwise;
  try {
    const body: unknown = JSON.parse(error.message);
    return isRefusal(body) ? { ok: false, code: body.code, message: body.message } : otherwise;
  } catch {
    return otherwise;
  }
}

/** The failure of a request that was not sent; unlike with `consoleUnreachable`, the console certainly has not received it. */
export const notSent: Failure = {
  ok: false,
  code: 'console.away',
  message:
    'The console does not answer, so this was not sent and nothing has changed. What you typed stays here. Try again when the console is back.',
};

/** Calls an action; `ended` maps the error of a call without an answer. If Next would send it only later, it is not called: `notSent`. */
export function callAction<T, F>(call: () => Promise<T>, ended: (error: unknown) => F): Promise<T | F> {
  const refused = () => ended(new Error(JSON.stringify(notSent)));
  const isNow = isSentAtOnce();
  if (isNow === true) return call().catch(ended);
  return Promise.resolve(isNow).then((isThere) => (isThere ? call().catch(ended) : refused()));
}

function isRefusal(value: unknown): value is { code: string; message: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    'message' in value &&
    typeof value.code === 'string' &&
    typeof value.message === 'string'
  );
}
