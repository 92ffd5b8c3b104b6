import { nearest } from '#lib/base/nearest.ts';
import type { Command } from './command.ts';
import { commands } from './commands/index.ts';
import { describeError } from './describe-error.ts';
import { exit, usageError } from './exit.ts';
import { type FlagTable, parseFlags } from './flags.ts';
import { clusterFlags, outputFlags } from './global-flags.ts';
import { watchPipes } from './terminal/closed-pipe.ts';
import { commandHelp, overview } from './terminal/help.ts';
import { processTerminal, terminalWidth } from './terminal/process-terminal.ts';
import { wrappedFor } from './terminal/terminal.ts';

/** Runs one command line. Resolves with the exit code (cli.md › Exit codes); never rejects. */
export async function runCli(argv: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort(new Error('SIGTERM')));
  watchPipes();
  let verbose = argv.includes('-v') || argv.includes('--verbose');
  try {
    const [name, rest] = splitName(argv);
    if (name === null) {
      const { flags } = parseFlags(rest, globalFlags, 'of signalbox itself');
      if (flags.has('version'))
        return await runCli(['version', '--client', ...rest.filter((word) => word !== '--version')], env);
      process.stdout.write(overview(commands, terminalWidth(env)));
      return flags.has('help') ? exit.fine : exit.usage;
    }
    const command = await load(name);
    const table: FlagTable = command.flags;
    const { flags, args } = parseFlags(rest, table);
    verbose = flags.has('verbose');
    if (flags.has('help')) {
      process.stdout.write(commandHelp(command, processTerminal(flags, env).columns));
      return exit.fine;
    }
    const [stray] = args;
    if (command.arguments === '' && stray !== undefined)
      throw usageError(`${name} takes no arguments, only flags: ${JSON.stringify(stray)} is not one`);
    return await command
      .run({ args, flags, terminal: processTerminal(flags, env), env, signal: stop.signal })
      .catch(async (error) => {
        // Loaded on use, because it loads all of lib/plan, which would slow down `--help`.
        const { forSameCluster, namedByFlag } = await import('./named-by-flag.ts');
        throw forSameCluster(namedByFlag(error, flags), flags);
      });
  } catch (error) {
    const { exitCode, text } = describeError(error, verbose);
    process.stderr.write(wrappedFor(text, process.stderr));
    return exitCode;
  }
}

/** The command is the first word that is neither a flag nor a flag's value. Flags before it are moved after it. */
function splitName(argv: readonly string[]): [string | null, string[]] {
  let index = 0;
  while (index < argv.length && argv[index]?.startsWith('-')) {
    const flag = globalFlags[flagNamed(argv[index] ?? '')];
    index += flag?.value ? 2 : 1;
  }
  const name = argv[index];
  if (name === undefined) return [null, [...argv]];
  // What follows it is the command in question; what stands before it has no effect.
  if (name === 'help') return [argv[index + 1] ?? null, ['--help']];
  return [name, [...argv.slice(0, index), ...argv.slice(index + 1)]];
}

/** Flags that may stand before a command, or without one. */
const globalFlags: FlagTable = {
  ...outputFlags,
  ...clusterFlags,
  version: { help: 'the version of this client' },
};

/** The name of a flag as it stands in the table: `o` is `output`. */
function flagNamed(word: string): string {
  const name = word.replace(/^-+/, '');
  return Object.entries(globalFlags).find(([, { short }]) => short === name)?.[0] ?? name;
}

async function load(name: string): Promise<Command> {
  const entry = commands[name];
  if (!entry) {
    const near = nearest(name, Object.keys(commands));
    throw usageError(
      `${JSON.stringify(name)} is not a command${near ? `; did you mean ${near}?` : '.'} \`signalbox --help\` lists them.`,
    );
  }
  return entry.load();
}
