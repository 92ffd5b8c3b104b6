import { type ServiceError, status } from '@grpc/grpc-js';
import { isKubeError } from '#lib/kube/index.ts';
import { maskedText, visibleLine } from '#lib/text/index.ts';
import { FlowError, isFlowError, withCommands } from '../flow-error.ts';
import type { FoundAggregator } from './find-aggregator.ts';

/** gRPC only reports that there is no connection. The tunnel knows the reason, or it is in gRPC's message. */
export function explained(
  error: unknown,
  fault: unknown,
  { pod, serverName }: Pick<FoundAggregator, 'pod' | 'serverName'>,
): Error {
  if (isKubeError(fault, 'forbidden'))
    return new FlowError(
      'forbidden',
      `You may not forward a port of pod ${pod.namespace}/${pod.name}, which flow logs come through: ${fault.message}`,
      fault,
    );
  if (isFlowError(fault)) return fault;
  const { code, details } = asServiceError(error);
  const words = visibleLine(details.slice(0, 500));
  if (/certificate|altname|self-signed|unable to verify|handshake|SSL|TLS/i.test(words))
    return new FlowError(
      'certificates',
      withCommands(
        `The aggregator's certificate does not verify for ${serverName}, or it refuses ours: ${words}. Calico may be renewing certificates: try again in a minute, then check:`,
        'status',
      ),
      withoutSecrets(error),
    );
  if (code === status.UNAVAILABLE || code === status.DEADLINE_EXCEEDED) {
    const because = fault instanceof Error ? fault.message : words;
    return new FlowError(
      'unreachable',
      `The aggregator in pod ${pod.namespace}/${pod.name} does not answer: ${because}`,
      withoutSecrets(error),
    );
  }
  if (code === status.CANCELLED) return new FlowError('unreachable', 'The connection to the aggregator was closed.');
  return new FlowError('refused', `The aggregator refused: ${words}.`, withoutSecrets(error));
}

function asServiceError(error: unknown): Pick<ServiceError, 'code' | 'details'> {
  const given = error instanceof Error ? error : new Error(String(error));
  const code = 'code' in given && typeof given.code === 'number' ? given.code : status.UNKNOWN;
  const details = 'details' in given && typeof given.details === 'string' ? given.details : given.message;
  return { code, details };
}

/** Only the error's name and masked message: the object may contain what was sent. */
export function withoutSecrets(error: unknown): Error {
  const plain = new Error(error instanceof Error ? maskedText(error.message) : 'unknown');
  plain.name = error instanceof Error ? error.name : 'Error';
  return plain;
}
