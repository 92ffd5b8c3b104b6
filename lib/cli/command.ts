import type { Flags, FlagTable } from './flags.ts';
import type { Terminal } from './terminal/terminal.ts';

/** One word of the command line: a file under `commands/`, and a line in its registry. */
export type Command = {
  name: string;
  /** After the name: `[plan.json]`, `RUN`. */
  arguments: string;
  /** What it does, in the imperative, and what its exit codes say; wrapped where it is shown. */
  summary: string;
  /** Command lines without `signalbox`, and what each does: one of each form, where a command has several. */
  examples?: readonly (readonly [line: string, does: string])[];
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
