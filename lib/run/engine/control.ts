import type { Request } from './requests.ts';

/** Requests from within the process that carries a run: Ctrl-C's menu, a signal, a button. */
export type RunControl = {
  ask(action: Request['action']): void;
  /** The oldest request that has no answer yet. */
  next(): Request['action'] | null;
  /** Resolves as soon as a request comes. */
  requested(): Promise<void>;
};

/** A queue of requests, oldest first; one for each run that this process carries. */
export function runControl(): RunControl {
  const questions: Request['action'][] = [];
  let wake = () => {};
  return {
    ask: (action) => {
      questions.push(action);
      wake();
    },
    next: () => questions.shift() ?? null,
    requested: () =>
      new Promise((resolve) => {
        if (questions.length > 0) resolve();
        else wake = resolve;
      }),
  };
}
