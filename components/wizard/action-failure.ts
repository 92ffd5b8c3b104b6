import { unstable_rethrow } from 'next/navigation';
import { failureOfCall } from '#components/ui/call/failure-of-call.ts';
import type { Failure } from '#lib/console/host.ts';

/** Nothing answered: it is asked again by whoever can. */
export const consoleIsAway: Failure = {
  ok: false,
  code: 'console.away',
  message: 'The console does not answer. What you typed stays here, and is kept as soon as it answers again.',
};

/** What a server action ended with instead of an answer. A redirect is none, and goes on its way; anything else, thrown on, would replace the page. */
export function actionFailure(error: unknown): Failure {
  unstable_rethrow(error);
  return failureOfCall(error, consoleIsAway);
}
