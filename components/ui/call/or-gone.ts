import type { HostAnswer } from '#lib/console/host.ts';
import { consoleGone } from './console-gone.ts';
import { callAction, failureOfCall } from './failure-of-call.ts';

type FormAction<T> = (before: HostAnswer<T> | null, form: FormData) => Promise<HostAnswer<T>>;

/** A console that is away must not take the page, and what was typed, with it. */
export function orGone<T>(action: FormAction<T>): FormAction<T> {
  return (before, form) =>
    callAction(
      () => action(before, form),
      (error) => failureOfCall(error, consoleGone),
    );
}
