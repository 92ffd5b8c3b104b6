import { messageOf } from '#lib/base/message-of.ts';
import type { Kube } from '#lib/kube/index.ts';

/** cli.md › Exit codes: a public contract. */
export const exit = {
  fine: 0,
  bug: 1,
  usage: 2,
  blocked: 3,
  notAsAsked: 4,
  unreachable: 5,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exit)[keyof typeof exit];

/**
 * The exit code of a list of which `missing` names what could not be read. What was read is printed all the same, as `kubectl get` does, but a script must not
 * take it for the whole. A dump refuses nothing: what it lacks is unknown, as in its findings.
 */
export function exitOfList(missing: readonly unknown[], source: Kube['source']): ExitCode {
  return missing.length === 0 || source === 'dump' ? exit.fine : exit.unreachable;
}

/** Ends a command with a sentence for the user. `cause` is shown with -v only. */
export class CliError extends Error {
  override name = 'CliError';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
  }
}

/** An error of usage or input; the message names the flag or field. */
export function usageError(message: string, cause?: unknown): CliError {
  return new CliError(exit.usage, message, cause);
}

/** Reads the value of a flag; its errors become usage errors that name the flag. */
export async function asUsage<T>(flag: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw usageError(`${flag}: ${messageOf(error)}`);
  }
}
