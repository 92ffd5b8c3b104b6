import type { Command } from '../command.ts';
import { parseFlags } from '../flags.ts';
import { plain } from '../terminal/terminal.ts';

/** What the command wrote, on a terminal so wide, and its exit code. */
export async function runCommand(
  command: Command,
  argv: readonly string[],
  columns: number,
  env: NodeJS.ProcessEnv = {},
  { signal = new AbortController().signal }: { signal?: AbortSignal } = {},
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
      isTerminal: false,
      canAsk: false,
      columns,
      paint: plain,
      verbosity: 'normal',
      ask: async () => '',
    },
  });
  return { code, out, err };
}
