import { FlowError, isFlowError, messagePartsFor } from '#lib/flows/flow-error.ts';
import { PlanError } from '#lib/plan/index.ts';
import { sentenceLedToCluster } from '#lib/text/index.ts';
import type { Flags } from './flags.ts';
import { sameClusterByProgram } from './run/same-cluster.ts';

/** Leads the commands of a message to the cluster that was asked: those that one of flows ends in, and those in backticks. */
export function forSameCluster(error: unknown, flags: Flags): unknown {
  const on = sameClusterByProgram(flags);
  if (isFlowError(error)) {
    const { said, commands } = messagePartsFor(error.message, on);
    const message = commands.length === 0 ? said : `${said}\n\n${commands.map((command) => `  ${command}`).join('\n')}`;
    return new FlowError(error.code, message, error.cause);
  }
  if (!(error instanceof Error)) return error;
  const led = sentenceLedToCluster(error.message, on);
  // What an aborted signal throws has a message that cannot be set, and no command in it.
  if (led !== error.message) error.message = led;
  return error;
}

/** An error of a plan about an answer that was given by a flag names that flag, as `choices.changes` is no word of the command line. Others stay. */
export function namedByFlag(error: unknown, flags: Flags): unknown {
  if (!(error instanceof PlanError)) return error;
  const flag = flagOf(error.path, flags);
  return flag === null ? error : new PlanError(error.code, error.message.replace(/^\w+:/, `--${flag}:`), error.path);
}

function flagOf([field, name]: PlanError['path'], flags: Flags): string | null {
  if (field === 'remove') return flags.has('remove') ? 'remove' : null;
  if (field !== 'changes') return null;
  const given = (['keep', 'take'] as const).find((flag) => flags.list(flag).includes(String(name)));
  if (given !== undefined) return given;
  return flags.list('write').some((entry) => entry.startsWith(`${name}=`)) ? 'write' : null;
}
