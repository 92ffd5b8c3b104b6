import { randomBytes } from 'node:crypto';
import { EndedSessions } from './ended-sessions.ts';
import type { Failure, Host } from './host.ts';
import { cookieValues, openClaim, type SessionClaim, sealClaim, sessionMs, setCookie } from './session-cookie.ts';
import { type KeyUse, SignInLinks } from './sign-in-links.ts';
import { signingKey } from './signing-key.ts';

export type Sessions = Pick<Host, 'session' | 'signIn' | 'signOut'> & {
  /** The session of a request with the time at which it ends, for what outlives the request. */
  claim(cookies: string | null): SessionClaim | null;
  /** A key for a sign-in link; see SignInLinks. */
  newKey(): string;
  /** Told the id of a session that was signed out. */
  onEnd(listener: (id: string) => void): void;
};

/** Who is signed in at the console on this port. `now` is milliseconds of the epoch. */
export async function openSessions({
  folder,
  port,
  log,
  now = Date.now,
}: {
  folder: string;
  port: number;
  log: (line: string) => void;
  now?: () => number;
}): Promise<Sessions> {
  const key = await signingKey(folder);
  const ended = await EndedSessions.read(folder);
  const links = new SignInLinks();
  const listeners: ((id: string) => void)[] = [];

  const claim = (cookies: string | null): SessionClaim | null => {
    for (const value of cookieValues(cookies, port)) {
      const found = openClaim(key, port, value, now());
      if (found && !ended.has(found.id)) return found;
    }
    return null;
  };

  return {
    claim,
    session: (cookies) => {
      const found = claim(cookies);
      return found ? { id: found.id, since: new Date(found.since).toISOString() } : null;
    },
    newKey: () => links.newKey(now()),
    signIn: async (given) => {
      const use = links.use(given, now());
      if (use !== 'fine') {
        if (use !== 'too-many') log(`sign-in refused: ${use} key`);
        return refusals[use];
      }
      const fresh: SessionClaim = { id: randomBytes(9).toString('base64url'), since: now(), until: now() + sessionMs };
      log(`session ${fresh.id} began`);
      return { ok: true, value: { cookie: setCookie(port, sealClaim(key, port, fresh), sessionMs) } };
    },
    signOut: async (cookies) => {
      const found = claim(cookies);
      if (found) {
        // It has ended for this process before it is written down: a full disk keeps nobody signed in.
        await ended.add(found.id, found.until, now()).catch((error: unknown) => {
          log(`that session ${found.id} has ended could not be kept for the next start: ${String(error)}`);
        });
        log(`session ${found.id} was signed out`);
        for (const listener of listeners) listener(found.id);
      }
      return { cookie: setCookie(port, '', 0) };
    },
    onEnd: (listener) => void listeners.push(listener),
  };
}

const refusals: Record<Exclude<KeyUse, 'fine'>, Failure> = {
  wrong: {
    ok: false,
    code: 'key.wrong',
    message: 'This console did not give out this link. It may be cut off, or older than the console that runs now.',
  },
  used: { ok: false, code: 'key.used', message: 'This link was used already; each opens one session.' },
  expired: { ok: false, code: 'key.expired', message: 'This link is older than 15 minutes.' },
  'too-many': {
    ok: false,
    code: 'key.too-many',
    message: 'Too many wrong links in the last minute. Wait a minute; a fresh link works at once.',
  },
};
