import { X509Certificate } from 'node:crypto';
import type { Credential } from './credential.ts';

/**
 * What is over of refused credentials, as a phrase: `the token expired at …`. Null: nothing that this machine can read. Only for a sentence: the server decides,
 * by its own clock. Of a token, the time of its end is read and nothing else.
 */
export function overSince({ authorization, certificate }: Credential, now: number): string | null {
  const ends = [
    { what: 'token', at: authorization && endOfToken(authorization.reveal()) },
    { what: 'client certificate', at: certificate && endOfCertificate(certificate.cert) },
  ];
  const over = ends.find(({ at }) => at !== null && at > 0 && at < now);
  if (over === undefined) return null;
  return `the ${over.what} expired at ${new Date(over.at ?? 0).toISOString().replace('.000Z', 'Z')}`;
}

function endOfCertificate(pem: string): number | null {
  try {
    return Date.parse(new X509Certificate(pem).validTo);
  } catch {
    return null;
  }
}

/** The `exp` of a JSON Web Token, in ms (RFC 7519 §4.1.4); null: it is none, or has none. */
function endOfToken(authorization: string): number | null {
  const payload = /^Bearer [\w-]+\.([\w-]+)\.[\w-]*$/.exec(authorization)?.[1];
  if (payload === undefined) return null;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    const seconds = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : null;
    return typeof seconds === 'number' ? Math.floor(seconds) * 1000 : null;
  } catch {
    return null;
  }
}
