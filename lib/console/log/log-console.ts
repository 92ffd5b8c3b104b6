import { format } from 'node:util';
import type { ConsoleLog } from './console-log.ts';

/** Redirects output of Next and packages to the log, redacted, instead of the terminal. */
export function logConsole(log: ConsoleLog): void {
  for (const name of ['debug', 'log', 'info', 'warn', 'error'] as const)
    console[name] = (...args: unknown[]) => log.write(format(...args));
}
