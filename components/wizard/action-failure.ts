import { unstable_rethrow } from 'next/navigation';
import { failureOfCall } from '#components/ui/call/failure-of-call.ts';
import type { Failure } from '#lib/console/host.ts';

/** The failure if the console did not answer, for callers that retry. */
export const consoleIsAway: Failure = {
  ok: false,
  code: 'console.away',
  message: 'The console does not answer. What you typed stays here, and is kept as soon as it answers again.',
};

/** The failure of a server action without an answer. Redirects are thrown on; other errors must not be, because they would replace the page. */
export function actionFailure(error: unknown): Failure {
  unstable_rethrow(error);
  return failureOfCall(error, consoleIsAway);
}
