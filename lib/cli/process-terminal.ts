import { createInterface } from 'node:readline/promises';
import { usageError } from './exit.ts';
import type { Flags } from './flags.ts';
import { coloured, plain, type Terminal } from './terminal.ts';

/** The process' own streams. Colour only on a terminal, unless `--color always|never` or NO_COLOR says otherwise. */
export function processTerminal(flags: Flags, env: NodeJS.ProcessEnv): Terminal {
  const isTerminal = process.stdout.isTTY === true;
  return {
    out: (text) => void process.stdout.write(text.endsWith('\n') ? text : `${text}\n`),
    err: (text) => void process.stderr.write(text.endsWith('\n') ? text : `${text}\n`),
    isTerminal,
    canAsk: process.stdin.isTTY === true && process.stderr.isTTY === true,
    columns: widthOf(env, isTerminal),
    paint: wantsColour(flags, env, isTerminal) ? coloured : plain,
    verbosity: flags.has('quiet') ? 'quiet' : flags.has('verbose') ? 'verbose' : 'normal',
    ask: async (question) => {
      const lines = createInterface({ input: process.stdin, output: process.stderr });
      try {
        return (await lines.question(question)).trim();
      } catch (error) {
        if (error instanceof Error && error.name === 'AbortError') return null;
        throw error;
      } finally {
        lines.close();
      }
    },
  };
}

/** Into a file or a pipe, as wide as COLUMNS says where somebody set it: shells do not hand it on by themselves. */
function widthOf({ COLUMNS }: NodeJS.ProcessEnv, isTerminal: boolean): number {
  const asked = /^\d{1,4}$/.test(COLUMNS ?? '') ? Number(COLUMNS) : null;
  return Math.max(40, isTerminal ? (process.stdout.columns ?? 80) : (asked ?? 100));
}

function wantsColour(flags: Flags, env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  const asked = flags.text('color') ?? 'auto';
  switch (asked) {
    case 'always':
      return true;
    case 'never':
      return false;
    case 'auto':
      return isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';
    default:
      throw usageError(`--color: ${JSON.stringify(asked)} is not one of auto, always, never`);
  }
}
