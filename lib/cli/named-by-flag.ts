import { FlowError, isFlowError, messagePartsFor } from '#lib/flows/flow-error.ts';
import { PlanError } from '#lib/plan/index.ts';
import { sentenceWithClusterFlags } from '#lib/text/index.ts';
import type { Flags } from './flags.ts';
import { sameClusterByProgram } from './run/same-cluster.ts';

/** An error whose message names the cluster in its commands: those at the end of a FlowError's message, and those in backticks. */
export function forSameCluster(error: unknown, flags: Flags): unknown {
  const on = sameClusterByProgram(flags);
  if (isFlowError(error)) {
    const { sentence, commands } = messagePartsFor(error.message, on);
    const message =
      commands.length === 0 ? sentence : `${sentence}\n\n${commands.map((command) => `  ${command}`).join('\n')}`;
    return new FlowError(error.code, message, error.cause);
  }
  if (!(error instanceof Error)) return error;
  const message = sentenceWithClusterFlags(error.message, on);
  // The message of an AbortError cannot be set; it has no command.
  if (message !== error.message) error.message = message;
  return error;
}

/** A PlanError about an answer given by a flag, with the flag's name in place of a field such as `changes` or `release`. Other errors stay. */
export function namedByFlag(error: unknown, flags: Flags): unknown {
  if (!(error instanceof PlanError)) return error;
  const flag = flagOf(error.path, flags);
  return flag === null ? error : new PlanError(error.code, error.message.replace(/^\w+:/, `--${flag}:`), error.path);
}

function flagOf([field, name]: PlanError['path'], flags: Flags): string | null {
  if (field !== 'changes') {
    const own = String(field).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return flags.has(own) ? own : null;
  }
  const given = (['keep', 'take'] as const).find((flag) => flags.list(flag).includes(String(name)));
  if (given !== undefined) return given;
  return flags.list('write').some((entry) => entry.startsWith(`${name}=`)) ? 'write' : null;
}
