import type { HostAnswer } from '#lib/console/host.ts';
import { consoleUnreachable } from './console-unreachable.ts';
import { callAction, failureOfCall } from './failure-of-call.ts';

type FormAction<T> = (before: HostAnswer<T> | null, form: FormData) => Promise<HostAnswer<T>>;

/** Wraps an action so that a console that does not answer becomes a failure instead of replacing the page and its typed text. */
export function unreachableAsFailure<T>(action: FormAction<T>): FormAction<T> {
  return (before, form) =>
    callAction(
      () => action(before, form),
      (error) => failureOfCall(error, consoleUnreachable),
    );
}
