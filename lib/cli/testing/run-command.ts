import type { Command } from '../command.ts';
import { parseFlags } from '../flags.ts';
import { plain } from '../terminal/terminal.ts';

/** Runs a command on a terminal of this width. Returns its output and exit code. */
export async function runCommand(
  command: Command,
  argv: readonly string[],
  columns: number,
  env: NodeJS.ProcessEnv = {},
  { signal = new AbortController().signal, isTerminal = false }: { signal?: AbortSignal; isTerminal?: boolean } = {},
): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const { args, flags } = parseFlags([...argv], command.flags);
  const code = await command.run({
    args,
    flags,
    env,
    signal,
    terminal: {
      out: (text) => {
        out += `${text}\n`;
      },
      err: (text) => {
        err += `${text}\n`;
      },
      isTerminal,
      canAsk: false,
      columns,
      paint: plain,
      verbosity: 'normal',
      ask: async () => '',
    },
  });
  return { code, out, err };
}
