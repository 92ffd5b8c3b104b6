import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** The content of a session cookie: id (no secret), start and end in ms since 1970. */
const claimSchema = z.strictObject({ id: z.string().min(8).max(40), since: z.int(), until: z.int() });
export type SessionClaim = z.infer<typeof claimSchema>;

/** A session and its streams end this long after its sign-in, even if it is used. */
export const sessionMs = 12 * 60 * 60 * 1000;
/** A session that is unused for so long ends earlier; is-use.ts defines use. */
export const idleMs = 2 * 60 * 60 * 1000;
const longestCookie = 600;
/** Length of an HMAC-SHA-256. */
const signatureBytes = 32;

/** The port is part of the name, because browsers share a host's cookies between its ports. */
function cookieName(port: number): string {
  return `signalbox_${port}`;
}

/** `payload.signature`, both base64url; HMAC-SHA-256 over the purpose, the port and the payload. */
export function sealClaim(key: Buffer, port: number, claim: SessionClaim): string {
  const payload = Buffer.from(JSON.stringify(claim)).toString('base64url');
  return `${payload}.${signature(key, port, payload).toString('base64url')}`;
}

/**
 * The claim of a cookie; null if it was not signed with this key for this port, or has ended. `since` is not checked, so that sessions survive a clock that is
 * set back, e.g. by NTP after a sleep.
 */
export function openClaim(key: Buffer, port: number, value: string, nowMs: number): SessionClaim | null {
  if (value.length > longestCookie) return null;
  const [payload, signed, ...rest] = value.split('.');
  if (payload === undefined || signed === undefined || rest.length > 0) return null;
  const bytes = Buffer.from(signed, 'base64url');
  if (bytes.length !== signatureBytes || !timingSafeEqual(bytes, signature(key, port, payload))) return null;
  const claim = claimSchema.safeParse(jsonOf(payload));
  return claim.success && nowMs < claim.data.until ? claim.data : null;
}

/** A whole Set-Cookie value. No `Domain`, so that only this host gets it. Not `Secure`: the console is HTTP on the loopback address, where some browsers would drop it. */
export function setCookie(port: number, value: string, maxAgeMs: number): string {
  return `${cookieName(port)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${Math.floor(maxAgeMs / 1000)}`;
}

/**
 * All values of our cookie in a Cookie header. With `--host 127.0.0.1` another program may have set any number of cookies of this name under its own paths,
 * which browsers send first (RFC 6265 §5.4). If only the first few were checked, it could lock this browser out. The length of the headers limits their number,
 * and each costs at most one HMAC.
 */
export function cookieValues(header: string | null, port: number): string[] {
  const start = `${cookieName(port)}=`;
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length));
}

function signature(key: Buffer, port: number, payload: string): Buffer {
  return createHmac('sha256', key).update(`signalbox session 1\n${port}\n${payload}`).digest();
}

function jsonOf(payload: string): unknown {
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}
