import { isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { DialResult } from '../../port.ts';
import { codeOf } from '../secret.ts';
import { tlsSentence } from '../wire/transport-error.ts';
import { happens, notInTime } from './dial.ts';

/** `verified`: the connection, which the caller destroys; null if the certificate did not verify, after which the connection is destroyed. */
export type Handshake = { certificate: NonNullable<DialResult['certificate']>; verified: TLSSocket | null };

/** Only the TLS handshake, without a client certificate. The server's certificate is read even if it does not verify. */
export async function handshake(
  socket: Socket,
  host: string,
  authorities: string | Buffer | (string | Buffer)[] | null,
  signal: AbortSignal,
  limitMs: number,
): Promise<Handshake> {
  const secure = connectTls({
    socket,
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(authorities === null ? {} : { ca: authorities }),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: false,
  });
  try {
    await happens(secure, 'secureConnect', signal);
    const shown = shownBy(secure);
    if (secure.authorized) return { certificate: { verified: true, ...shown }, verified: secure };
    const code = codeOf(secure.authorizationError) ?? String(secure.authorizationError);
    return refused(secure, { ...shown, because: tlsSentence(code, host) ?? `it does not verify (${code})` });
  } catch (error) {
    const because = signal.aborted ? notInTime(limitMs) : (tlsSentence(error, host) ?? 'the TLS handshake broke off');
    return refused(secure, { names: [], issuer: null, expiresAt: null, because });
  }
}

function refused(secure: TLSSocket, shown: ReturnType<typeof shownBy> & { because: string }): Handshake {
  secure.destroy();
  return { certificate: { verified: false, ...shown }, verified: null };
}

function shownBy(socket: TLSSocket): { names: string[]; issuer: string | null; expiresAt: string | null } {
  const { subjectaltname, subject, issuer, valid_to: validTo } = socket.getPeerCertificate();
  const listed = (subjectaltname ?? '')
    .split(', ')
    .flatMap((entry) => /^(?:DNS|IP Address):(.+)$/.exec(entry)?.[1] ?? []);
  const common = subject?.CN;
  const ends = Date.parse(validTo ?? '');
  return {
    names: listed.length > 0 || common === undefined ? [...new Set(listed)] : [common].flat(),
    issuer: [issuer?.CN ?? issuer?.O ?? []].flat()[0] ?? null,
    expiresAt: Number.isNaN(ends) ? null : new Date(ends).toISOString(),
  };
}
