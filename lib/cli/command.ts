import type { Flags, FlagTable } from './flags.ts';
import type { Terminal } from './terminal/terminal.ts';

/** A command: a file under `commands/` and a line in its registry. */
export type Command = {
  name: string;
  /** The arguments in help: `[plan.json]`, `RUN`. */
  arguments: string;
  /** What it does, in the imperative, and its exit codes. Help wraps it. */
  summary: string;
  /** Command lines without `signalbox`, each with its effect; one for each form of the command. */
  examples?: readonly (readonly [line: string, does: string])[];
  flags: FlagTable;
  run(invocation: Invocation): Promise<number>;
};

export type Invocation = {
  args: readonly string[];
  flags: Flags;
  terminal: Terminal;
  env: NodeJS.ProcessEnv;
  /** Aborts on SIGTERM, and on SIGINT unless the command asks what to do. */
  signal: AbortSignal;
};

export type CommandTable = Readonly<Record<string, { summary: string; load(): Promise<Command> }>>;
