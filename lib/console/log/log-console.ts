import { format } from 'node:util';
import type { ConsoleLog } from './console-log.ts';

/** What Next and packages print goes to the log: redacted, and not between the lines that the reader of the terminal follows. */
export function logConsole(log: ConsoleLog): void {
  for (const name of ['debug', 'log', 'info', 'warn', 'error'] as const)
    console[name] = (...args: unknown[]) => log.write(format(...args));
}
