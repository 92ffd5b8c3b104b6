import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** What a cookie says: who (no secret), since when and until when, in milliseconds of the epoch. */
const claimSchema = z.strictObject({ id: z.string().min(8).max(40), since: z.int(), until: z.int() });
export type SessionClaim = z.infer<typeof claimSchema>;

/** A session lasts a working day from its sign-in, used or not; streams end with it. */
export const sessionMs = 12 * 60 * 60 * 1000;
const longestCookie = 600;

/** One name a port: browsers give the cookies of 127.0.0.1 to every port of it. */
export function cookieName(port: number): string {
  return `signalbox_${port}`;
}

/** `payload.signature`, both base64url; HMAC-SHA-256 over the purpose, the port and the payload. */
export function sealClaim(key: Buffer, port: number, claim: SessionClaim): string {
  const payload = Buffer.from(JSON.stringify(claim)).toString('base64url');
  return `${payload}.${signature(key, port, payload).toString('base64url')}`;
}

/** Null for what was not signed with this key for this port, and for what has ended. */
export function openClaim(key: Buffer, port: number, value: string, nowMs: number): SessionClaim | null {
  if (value.length > longestCookie) return null;
  const [payload, signed, ...rest] = value.split('.');
  if (payload === undefined || signed === undefined || rest.length > 0) return null;
  const given = Buffer.from(signed, 'base64url');
  const wanted = signature(key, port, payload);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
  const claim = claimSchema.safeParse(jsonOf(payload));
  return claim.success && claim.data.since <= nowMs && nowMs < claim.data.until ? claim.data : null;
}

/** A whole Set-Cookie value. Not `Secure`: the console is HTTP on the loopback address, where some browsers would drop it. */
export function setCookie(port: number, value: string, maxAgeMs: number): string {
  return `${cookieName(port)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${Math.floor(maxAgeMs / 1000)}`;
}

/** Every value that the Cookie header has under our name: another program on 127.0.0.1 may have set one of the same name, under a path of its own. */
export function cookieValues(header: string | null, port: number): string[] {
  const start = `${cookieName(port)}=`;
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length))
    .slice(0, 8);
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
