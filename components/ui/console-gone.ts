import type { Failure } from '#lib/console/host.ts';

/** What a button answers when the console itself did not: nobody can say whether it was heard. */
export const consoleGone: Failure = {
  ok: false,
  code: 'console.unreachable',
  message:
    'The console did not answer, so nobody can say whether this was heard. Runs go on without this page. When the console is back, look at where things are, then ask again.',
};
