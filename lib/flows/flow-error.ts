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

/** By shape, not by class: bundlers load a module twice. */
export function isFlowError(error: unknown): error is FlowError {
  return error instanceof Error && error.name === 'FlowError';
}

/** What waiting may mend: a pod that starts, certificates that rotate, a connection. */
const passing: readonly FlowErrorCode[] = ['not-ready', 'certificates', 'unreachable', 'refused'];

export function mayPass({ code }: FlowError): boolean {
  return passing.includes(code);
}
