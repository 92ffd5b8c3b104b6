import type { Failure } from '#lib/console/host.ts';

/** What a button answers when the console itself did not: nobody can say whether it was heard. */
export const consoleGone: Failure = {
  ok: false,
  code: 'console.unreachable',
  message:
    'The console did not answer. Your request may or may not have arrived. Runs continue without this page. When the console is back, look at the run, then ask again.',
};
