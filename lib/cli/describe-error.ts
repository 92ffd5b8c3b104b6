import type { KubeError } from '#lib/kube/index.ts';
import { visible } from '#lib/text/index.ts';
import { CliError, type ExitCode, exit } from './exit.ts';

/** Codes of KubeError for a cluster that cannot be reached or refuses access. */
const unreachable = new Set([
  'unreachable',
  'timeout',
  'tls',
  'unauthorized',
  'credentials',
  'forbidden',
  'too-many-requests',
  'server',
  'protocol',
]);

/** What helps on the command line; empty if nothing is known. */
function wayOut({ code, detail }: Pick<KubeError, 'code' | 'detail'>): string {
  if (code === 'forbidden') return '  `signalbox rbac` prints the Roles that a goal needs.\n';
  // Commands in pods, port-forwards and requests for the Lease have limits of their own, which no flag changes.
  if (code === 'timeout' && detail.limit === 'connection') return '  `--timeout` sets how long a request may take.\n';
  return '';
}

/** Codes of FlowError about the cluster's flow logs; the others: it cannot be reached or refuses access. */
const noFlowLogs = new Set(['not-enabled', 'enterprise', 'too-old', 'no-operator', 'no-cluster']);

const inputErrors = new Set(['FolderRefused', 'InputError', 'PlanError', 'ChoiceError', 'ReleaseError']);

/** Any error as a sentence and an exit code. A bug says how to report it; causes are for -v. */
export function describeError(error: unknown, verbose: boolean): { exitCode: ExitCode; text: string } {
  const cause = verbose ? causes(error) : '';
  // Exit code 0: the requested state holds already, which is no error.
  if (error instanceof CliError)
    return {
      exitCode: error.exitCode,
      text: `${error.exitCode === exit.fine ? '' : 'signalbox: '}${textOfOthers(error.message)}\n${cause}`,
    };
  if (error instanceof Error && error.name === 'KubeError') {
    const refused = error as KubeError;
    return {
      exitCode: exitOf(refused.code),
      text: `signalbox: ${textOfOthers(error.message)}\n${wayOut(refused)}${cause}`,
    };
  }
  if (error instanceof Error && error.name === 'FlowError') {
    const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
    return {
      exitCode: noFlowLogs.has(code) ? exit.usage : exit.unreachable,
      text: `signalbox: ${textOfOthers(error.message)}\n${cause}`,
    };
  }
  if (error instanceof Error && 'code' in error && error.code === 'release.aborted')
    return { exitCode: exit.interrupted, text: `signalbox: ${textOfOthers(error.message)}\n${cause}` };
  // Errors of lib/ about its input name the file, field or choice in their sentence.
  if (error instanceof Error && inputErrors.has(error.name))
    return { exitCode: exit.usage, text: `signalbox: ${textOfOthers(error.message)}\n${cause}` };
  if (error instanceof Error && error.name === 'SandboxBusy')
    return { exitCode: exit.notAsAsked, text: `signalbox: ${textOfOthers(error.message)}\n${cause}` };
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    exitCode: exit.bug,
    text: `signalbox: this is our fault, not yours: ${textOfOthers(message)}\nPlease report it with the command line and \`signalbox version --client\`.\n`,
  };
}

/** Text of others may have several lines; further lines are indented below the first. */
function textOfOthers(text: string): string {
  return visible(text).replaceAll(/\n(?!\n)/g, '\n  ');
}

function exitOf(code: string): ExitCode {
  if (code === 'aborted') return exit.interrupted;
  if (code === 'invalid' || code === 'not-found' || code === 'unsupported') return exit.usage;
  return unreachable.has(code) ? exit.unreachable : exit.notAsAsked;
}

function causes(error: unknown): string {
  const lines: string[] = [];
  for (
    let cause = error instanceof Error ? error.cause : undefined;
    cause !== undefined && lines.length < 5;
    cause = cause instanceof Error ? cause.cause : undefined
  ) {
    lines.push(
      `  because: ${textOfOthers(cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause))}`,
    );
  }
  return lines.length > 0 ? `${lines.join('\n')}\n` : '';
}
