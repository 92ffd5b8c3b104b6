import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** What a cookie says: who (no secret), since when and until when, in milliseconds of the epoch. */
const claimSchema = z.strictObject({ id: z.string().min(8).max(40), since: z.int(), until: z.int() });
export type SessionClaim = z.infer<typeof claimSchema>;

/** A session lasts a working day from its sign-in, however much it is used; streams end with it. */
export const sessionMs = 12 * 60 * 60 * 1000;
/** It ends before that when nobody has used it for so long: is-use.ts says what counts. */
export const idleMs = 2 * 60 * 60 * 1000;
const longestCookie = 600;
/** Of SHA-256. */
const signatureBytes = 32;

/** One name a port: browsers give the cookies of a host to every port of it. */
function cookieName(port: number): string {
  return `signalbox_${port}`;
}

/** `payload.signature`, both base64url; HMAC-SHA-256 over the purpose, the port and the payload. */
export function sealClaim(key: Buffer, port: number, claim: SessionClaim): string {
  const payload = Buffer.from(JSON.stringify(claim)).toString('base64url');
  return `${payload}.${signature(key, port, payload).toString('base64url')}`;
}

/**
 * Null for what was not signed with this key for this port, and for what has ended. When it began is no question: a machine whose clock was set back
 * (NTP after a sleep, say) keeps its sessions.
 */
export function openClaim(key: Buffer, port: number, value: string, nowMs: number): SessionClaim | null {
  if (value.length > longestCookie) return null;
  const [payload, signed, ...rest] = value.split('.');
  if (payload === undefined || signed === undefined || rest.length > 0) return null;
  const given = Buffer.from(signed, 'base64url');
  if (given.length !== signatureBytes || !timingSafeEqual(given, signature(key, port, payload))) return null;
  const claim = claimSchema.safeParse(jsonOf(payload));
  return claim.success && nowMs < claim.data.until ? claim.data : null;
}

/** A whole Set-Cookie value. No `Domain`: it is this host's alone. Not `Secure`: the console is HTTP on the loopback address, where some browsers would drop it. */
export function setCookie(port: number, value: string, maxAgeMs: number): string {
  return `${cookieName(port)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${Math.floor(maxAgeMs / 1000)}`;
}

/**
 * Every value that the Cookie header has under our name: with `--host 127.0.0.1` another program there may have set any number of the same name, under paths of its
 * own, which browsers send first (RFC 6265 §5.4). Taking the first few of them would let it lock this browser out; how many there can be is bounded
 * by the length of the headers, and each costs one HMAC at most.
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
