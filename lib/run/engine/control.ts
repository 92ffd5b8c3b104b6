import type { Request } from './requests.ts';

/** What the process that carries a run may be asked from within: Ctrl-C's menu, a signal, a button. */
export type RunControl = {
  ask(action: Request['action']): void;
  /** The oldest unanswered question. */
  next(): Request['action'] | null;
  /** Resolves as soon as something is asked. */
  asked(): Promise<void>;
};

export function runControl(): RunControl {
  const questions: Request['action'][] = [];
  let wake = () => {};
  return {
    ask: (action) => {
      questions.push(action);
      wake();
    },
    next: () => questions.shift() ?? null,
    asked: () =>
      new Promise((resolve) => {
        if (questions.length > 0) resolve();
        else wake = resolve;
      }),
  };
}
