import { createInterface } from 'node:readline/promises';
import { usageError } from '../exit.ts';
import type { Flags } from '../flags.ts';
import { coloured, plain, type Terminal, wrappedFor, writable } from './terminal.ts';

/** The process's streams. Colours only on a terminal, unless `--color always|never` or NO_COLOR is set. */
export function processTerminal(flags: Flags, env: NodeJS.ProcessEnv): Terminal {
  const isTerminal = process.stdout.isTTY === true;
  const paint = wantsColour(flags, env, isTerminal) ? coloured : plain;
  return {
    out: (text) => void process.stdout.write(ended(writable(text, paint))),
    err: (text) => void process.stderr.write(ended(wrappedFor(writable(text, paint), process.stderr))),
    isTerminal,
    canAsk: process.stdin.isTTY === true && process.stderr.isTTY === true,
    columns: terminalWidth(env),
    paint,
    verbosity: flags.has('quiet') ? 'quiet' : flags.has('verbose') ? 'verbose' : 'normal',
    ask: async (question) => {
      const lines = createInterface({ input: process.stdin, output: process.stderr });
      try {
        return (await lines.question(writable(question, plain))).trim();
      } catch (error) {
        if (error instanceof Error && error.name === 'AbortError') return null;
        throw error;
      } finally {
        lines.close();
      }
    },
  };
}

function ended(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** Columns of stdout. For files and pipes COLUMNS if it is exported, which shells do not do by themselves; otherwise 100. At least 40. */
export function terminalWidth({ COLUMNS }: NodeJS.ProcessEnv): number {
  const declared = /^\d{1,4}$/.test(COLUMNS ?? '') ? Number(COLUMNS) : null;
  return Math.max(40, process.stdout.isTTY === true ? process.stdout.columns || 80 : (declared ?? 100));
}

function wantsColour(flags: Flags, env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  const color = flags.text('color') ?? 'auto';
  switch (color) {
    case 'always':
      return true;
    case 'never':
      return false;
    case 'auto':
      return isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';
    default:
      throw usageError(`--color: ${JSON.stringify(color)} is not one of auto, always, never`);
  }
}
