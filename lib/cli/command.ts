import type { Flags, FlagTable } from './flags.ts';
import type { Terminal } from './terminal/terminal.ts';

/** One word of the command line: a file under `commands/`, and a line in its registry. */
export type Command = {
  name: string;
  /** After the name: `[plan.json]`, `RUN`. */
  arguments: string;
  summary: string;
  flags: FlagTable;
  run(invocation: Invocation): Promise<number>;
};

export type Invocation = {
  args: readonly string[];
  flags: Flags;
  terminal: Terminal;
  env: NodeJS.ProcessEnv;
  /** Aborted by SIGTERM, and by SIGINT where the command does not ask what to do instead. */
  signal: AbortSignal;
};

export type CommandTable = Readonly<Record<string, { summary: string; load(): Promise<Command> }>>;
