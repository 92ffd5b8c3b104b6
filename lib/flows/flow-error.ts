import { names } from '#lib/spec/index.ts';
import { type FlagsByProgram, withClusterFlags } from '#lib/text/index.ts';

/**
 * Why there are no flow logs. The codes are stable: they appear in events, JSON and scripts. Errors of the cluster that have nothing to do with flow
 * logs stay KubeErrors.
 *
 * - `not-enabled` the cluster could have them
 * - `enterprise` Calico Enterprise has different flow logs
 * - `too-old` Calico before v3.30
 * - `no-operator` Calico without its operator, or no Calico
 * - `no-cluster` a dump has no aggregator to ask
 * - `forbidden` rights are missing; the sentence names them
 * - `not-ready` they are enabled, but the aggregator does not run (yet)
 * - `certificates` the certificates for mutual TLS are missing or do not verify
 * - `refused` the aggregator refuses the request
 * - `unreachable` the connection broke or cannot be opened
 */
export type FlowErrorCode =
  | 'not-enabled'
  | 'enterprise'
  | 'too-old'
  | 'no-operator'
  | 'no-cluster'
  | 'forbidden'
  | 'not-ready'
  | 'certificates'
  | 'refused'
  | 'unreachable';

/** `message` is a sentence that says what to do; `cause` is for the log, without secrets. */
export class FlowError extends Error {
  readonly code: FlowErrorCode;

  constructor(code: FlowErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'FlowError';
    this.code = code;
  }
}

/** All commands that messages recommend. */
const commands = {
  /** Plans one step, `flowlogs.enable`, and shows it before it is carried out. */
  enable: 'signalbox apply --goal flow-logs',
  upgrade: 'signalbox plan --goal upgrade',
  pods: `kubectl -n ${names.calicoNamespace} get pods`,
  /** The operator's status of the aggregator and its parts. */
  status: 'kubectl get tigerastatus goldmane',
  /** Among others the Role that reads flow logs. */
  roles: 'signalbox rbac',
} as const;
const known: ReadonlySet<string> = new Set(Object.values(commands));

/** A message that ends in commands for a terminal: an empty line, then one command per line. `messageParts` separates them for pages. */
export function withCommands(sentence: string, ...wanted: readonly (keyof typeof commands)[]): string {
  return `${sentence}\n\n${wanted.map((command) => `  ${commands[command]}`).join('\n')}`;
}

/**
 * The sentence of a message, and the commands at its end. Only our own commands are recognised: text from a cluster may look like one and stays text.
 */
export function messageParts(message: string): { sentence: string; commands: readonly string[] } {
  const at = message.lastIndexOf('\n\n');
  const lines = at < 0 ? [] : message.slice(at + 2).split('\n');
  const found = lines.map((line) => line.trim());
  return found.length > 0 && found.every((line) => known.has(line))
    ? { sentence: message.slice(0, at), commands: found }
    : { sentence: message, commands: [] };
}

/** As `messageParts`, with each command directed to the cluster that was asked. */
export function messagePartsFor(message: string, flags: FlagsByProgram): ReturnType<typeof messageParts> {
  const { sentence, commands } = messageParts(message);
  return { sentence, commands: commands.map((command) => withClusterFlags(command, flags)) };
}

/** A message without its commands, for a line of a log. */
export function inOneLine(message: string): string {
  return messageParts(message).sentence;
}

/** Recognised by name, not by class, because bundlers may load a module twice. */
export function isFlowError(error: unknown): error is FlowError {
  return error instanceof Error && error.name === 'FlowError';
}

/** Errors that may go away by waiting: a pod starts, certificates rotate, a connection returns. */
const passing: readonly FlowErrorCode[] = ['not-ready', 'certificates', 'unreachable', 'refused'];

export function mayPass({ code }: FlowError): boolean {
  return passing.includes(code);
}
