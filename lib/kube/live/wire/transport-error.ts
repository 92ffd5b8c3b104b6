import { messageOf } from '#lib/base/message-of.ts';
import { isOfHandshake, tlsFault } from '#lib/base/network/tls-fault.ts';
import { KubeError, type KubeErrorCode } from '../../error.ts';
import { codeOf, type Redactor } from '../secret.ts';

/** How far a request may have come when its connection failed. */
export type Progress = 'not-sent' | 'unknown';

/** Whether a request changes something if it arrives. */
export type Effect = 'none' | 'write';

/** The KubeError for a failed connection. `host` is `name:port`, without user info. */
export function transportError(
  error: unknown,
  { host, effect, redactor }: { host: string; effect: Effect; redactor: Redactor },
): { error: KubeError; progress: Progress } {
  const { code, says, progress } = explain(error, host);
  const doubt = progress === 'unknown' && effect === 'write' ? ' The change may have been made.' : '';
  return { error: new KubeError(code, `${says}${doubt}`, {}, redactor.cause(error)), progress };
}

type Explanation = { code: KubeErrorCode; says: string; progress: Progress };

function explain(error: unknown, host: string): Explanation {
  const code = codeOf(error) ?? '';
  const reason = messageOf(error);
  const notSent = (says: string): Explanation => ({ code: 'unreachable', says, progress: 'not-sent' });
  // The same codes of a connection that was open are told below: the request may have arrived.
  switch (wasOpen(error) ? '' : code) {
    case 'ECONNREFUSED':
      return notSent(`Nothing listens at ${host}: the connection was refused.`);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_FAIL':
      return notSent(`The host name of ${host} does not resolve.`);
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return notSent(`There is no route to ${host}.`);
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return notSent(`${host} does not answer: no connection within 10 s.`);
    case 'ERR_TUNNEL':
      return notSent(`No connection to ${host}: ${reason}.`);
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
      return { code: 'timeout', says: `${host} stopped answering in the middle of a request.`, progress: 'unknown' };
    case 'UND_ERR_RES_EXCEEDED_MAX_SIZE':
      return { code: 'protocol', says: `The answer of ${host} is too large.`, progress: 'unknown' };
    default:
      break;
  }
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW') {
    return {
      code: 'protocol',
      says: `${host} is not an API server: its answer is not valid HTTP.`,
      progress: 'unknown',
    };
  }
  const tls = tlsFault(error, host, `${authority}. ${byAnother}`);
  if (tls) return { code: 'tls', says: tls, progress: isOfHandshake(error) ? 'not-sent' : 'unknown' };
  return { code: 'unreachable', says: `The connection to ${host} broke before an answer came.`, progress: 'unknown' };
}

/** Whether a socket failed that had been connected. */
function wasOpen(error: unknown): boolean {
  const call = error instanceof Error && 'syscall' in error ? error.syscall : null;
  return call === 'read' || call === 'write';
}

/** A failed TLS connection with an API server, by its error or its code; null: it is not about TLS. */
export function tlsSentence(error: unknown, host: string): string | null {
  return tlsFault(error, host, authority);
}

const authority = "the cluster's certificate authority";
const byAnother = 'Either another server answers there, or the cluster has a new authority: get its kubeconfig again';
