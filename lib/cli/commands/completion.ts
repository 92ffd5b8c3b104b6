import type { Command, CommandTable } from '../command.ts';
import { exit, usageError } from '../exit.ts';
import { withoutOutput } from '../global-flags.ts';
import { bashCompletion, fishCompletion, zshCompletion } from '../show/completion-scripts.ts';

/** `commands`: all commands, including this one. */
export const completionOf = (commands: CommandTable): Command => ({
  name: 'completion',
  arguments: 'bash|zsh|fish',
  summary: 'Print a completion script for the commands and their flags.',
  flags: withoutOutput,
  async run({ args, terminal }) {
    const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };
    const shell = args[0];
    if (shell === undefined || args.length > 1 || !Object.hasOwn(scripts, shell))
      throw usageError(
        `one of bash, zsh or fish is needed${shell === undefined ? '' : `, not ${JSON.stringify(args.join(' '))}`}`,
      );
    const loaded = await Promise.all(Object.keys(commands).map(async (name) => commands[name]?.load()));
    terminal.out(scripts[shell as keyof typeof scripts](loaded.filter((one) => one !== undefined)));
    return exit.fine;
  },
});
