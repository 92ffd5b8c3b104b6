import type { Failure } from '#lib/console/host.ts';

/** The failure of a button if the console did not answer; it is unknown whether it received the request. */
export const consoleUnreachable: Failure = {
  ok: false,
  code: 'console.unreachable',
  message:
    'The console did not answer. Your request may or may not have arrived. Runs continue without this page. When the console is back, look at the run, then ask again.',
};
