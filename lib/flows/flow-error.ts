import { names } from '#lib/spec/index.ts';
import { type FlagsByProgram, ledToCluster } from '#lib/text/index.ts';

/**
 * Why there are no flow logs. Stable: they appear in events, JSON and scripts. What a cluster answers that has nothing to do with flow logs stays a
 * KubeError.
 *
 * - `not-enabled` the cluster could have them
 * - `enterprise` Calico Enterprise, whose flow logs are other ones
 * - `too-old` Calico before v3.30
 * - `no-operator` Calico without its operator, or no Calico
 * - `no-cluster` a dump: nothing can be asked
 * - `forbidden` rights are missing; the sentence names them
 * - `not-ready` they are enabled, and the aggregator does not run (yet)
 * - `certificates` mutual TLS cannot be had or does not verify
 * - `refused` the aggregator refuses the request
 * - `unreachable` the connection broke or does not come
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

/** `message` is a sentence with what to do; `cause` is for the log, without secrets. */
export class FlowError extends Error {
  readonly code: FlowErrorCode;

  constructor(code: FlowErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'FlowError';
    this.code = code;
  }
}

/** All that messages tell their reader to run. */
const commands = {
  /** A plan of one step, `flowlogs.enable`, that is shown before it is carried out. */
  enable: 'signalbox apply --goal flow-logs',
  upgrade: 'signalbox plan --goal upgrade',
  pods: `kubectl -n ${names.calicoNamespace} get pods`,
  /** What the operator says of the aggregator and all that belongs to it. */
  status: 'kubectl get tigerastatus goldmane',
} as const;
const known: ReadonlySet<string> = new Set(Object.values(commands));

/** A message that ends in commands, each on a line of its own after an empty one: as a terminal shows it. Pages take it apart again (`messageParts`). */
export function withCommands(sentence: string, ...wanted: readonly (keyof typeof commands)[]): string {
  return `${sentence}\n\n${wanted.map((command) => `  ${commands[command]}`).join('\n')}`;
}

/** What a message says, and the commands that it ends in. Only ours are: what a cluster answered may look like one, and stays text. */
export function messageParts(message: string): { said: string; commands: readonly string[] } {
  const at = message.lastIndexOf('\n\n');
  const lines = at < 0 ? [] : message.slice(at + 2).split('\n');
  const found = lines.map((line) => line.trim());
  return found.length > 0 && found.every((line) => known.has(line))
    ? { said: message.slice(0, at), commands: found }
    : { said: message, commands: [] };
}

/** The same, with each command led to the cluster that was asked, and without those that cannot reach it. */
export function messagePartsFor(message: string, flags: FlagsByProgram): ReturnType<typeof messageParts> {
  const { said, commands } = messageParts(message);
  const reaching = commands.filter((command) => flags.kubectl !== null || !command.startsWith('kubectl '));
  return { said, commands: reaching.map((command) => ledToCluster(command, flags)) };
}

/** A message for a line of a log: without its commands. */
export function inOneLine(message: string): string {
  return messageParts(message).said;
}

/** By shape, not by class: bundlers load a module twice. */
export function isFlowError(error: unknown): error is FlowError {
  return error instanceof Error && error.name === 'FlowError';
}

/** What waiting may fix: a pod that starts, certificates that rotate, a connection. */
const passing: readonly FlowErrorCode[] = ['not-ready', 'certificates', 'unreachable', 'refused'];

export function mayPass({ code }: FlowError): boolean {
  return passing.includes(code);
}
