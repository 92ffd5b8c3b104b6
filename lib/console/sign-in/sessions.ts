import { randomBytes } from 'node:crypto';
import type { Failure, Host, HostAnswer } from '../host.ts';
import { browserName } from './browser-name.ts';
import {
  cookieValues,
  idleMs,
  openClaim,
  type SessionClaim,
  sealClaim,
  sessionMs,
  setCookie,
} from './session-cookie.ts';
import { SessionStore } from './session-store.ts';
import { type KeyUse, SignInLinks } from './sign-in-links.ts';
import { signingKey } from './signing-key.ts';

export type Sessions = Pick<Host, 'session' | 'sessions' | 'endSession'> & {
  /** Signs in with the one-time key of a link, which is used up. `cookie` is a whole Set-Cookie value. */
  signIn(key: string, userAgent: string | undefined): Promise<HostAnswer<{ cookie: string }>>;
  signOut(cookies: string | null): Promise<{ cookie: string }>;
  /** Ends every session and unused link. Has an effect only for a valid session. */
  signOutEverywhere(cookies: string | null): Promise<{ cookie: string }>;
  /** The session of a request, with its end for streams, which outlive the request. */
  claim(cookies: string | null): SessionClaim | null;
  /** Restarts the session's idle limit, because a person uses it. */
  used(claim: SessionClaim): void;
  /** Ends idle sessions and stores the times of last use. Called every minute and at the console's end. */
  sweep(): Promise<void>;
  /** A key for a sign-in link; see SignInLinks. */
  newKey(): string;
  /** Calls the listener with the id of each session that ends. */
  onEnd(listener: (id: string) => void): void;
};

/** The sessions of the console on this port. `now`: ms since 1970. */
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
  const store = await SessionStore.read(folder);
  const links = new SignInLinks();
  const listeners: ((id: string) => void)[] = [];

  /** A clock that was set back ends no session. */
  const isOver = ({ usedAt, until }: { usedAt: number; until: number }) => now() >= until || now() - usedAt >= idleMs;

  const claim = (cookies: string | null): SessionClaim | null => {
    for (const value of cookieValues(cookies, port)) {
      const found = openClaim(key, port, value, now());
      const session = found && store.get(found.id);
      if (session && !isOver(session)) return found;
    }
    return null;
  };

  /** Sessions end in this process before the file is written, so that a full disk keeps nobody signed in. */
  const end = async (ids: readonly string[], how: string): Promise<void> => {
    for (const id of ids) {
      store.delete(id);
      log(`session ${id} ${how}`);
      for (const listener of listeners) listener(id);
    }
    await keep();
  };
  const keep = () =>
    store.keep().catch((error: unknown) => {
      log(`which sessions there are could not be kept for the next start: ${String(error)}`);
    });

  return {
    claim,
    session: (cookies) => {
      const found = claim(cookies);
      return found ? { id: found.id, since: new Date(found.since).toISOString() } : null;
    },
    sessions: (cookies) => {
      const own = claim(cookies);
      return store
        .all()
        .filter((one) => !isOver(one))
        .sort((a, b) => b.usedAt - a.usedAt)
        .map(({ id, browser, since, usedAt, until }) => ({
          id,
          browser,
          since: new Date(since).toISOString(),
          usedAt: new Date(usedAt).toISOString(),
          endsAt: new Date(Math.min(until, usedAt + idleMs)).toISOString(),
          isThis: id === own?.id,
        }));
    },
    endSession: async (id) => {
      if (store.get(id)) await end([id], 'was signed out from another');
    },
    used: ({ id }) => {
      const session = store.get(id);
      if (session) store.put({ ...session, usedAt: now() });
    },
    sweep: async () => {
      const over = store.all().filter(isOver);
      await end(
        over.map(({ id }) => id),
        'has ended',
      );
    },
    newKey: () => links.newKey(now()),
    signIn: async (presented, userAgent) => {
      const use = links.use(presented, now());
      if (use !== 'fine') {
        if (use !== 'too-many') log(`sign-in refused: ${use} key`);
        return refusals[use];
      }
      const fresh: SessionClaim = { id: randomBytes(9).toString('base64url'), since: now(), until: now() + sessionMs };
      store.put({ ...fresh, usedAt: now(), browser: browserName(userAgent) });
      await keep();
      log(`session ${fresh.id} began`);
      return { ok: true, value: { cookie: setCookie(port, sealClaim(key, port, fresh), sessionMs) } };
    },
    signOut: async (cookies) => {
      const found = claim(cookies);
      if (found) await end([found.id], 'was signed out');
      return { cookie: setCookie(port, '', 0) };
    },
    signOutEverywhere: async (cookies) => {
      if (claim(cookies)) {
        links.endAll();
        await end(
          store.all().map(({ id }) => id),
          'was signed out with all others',
        );
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
    message: 'This link is not valid. It may be cut off, or older than the running console.',
  },
  used: { ok: false, code: 'key.used', message: 'This link was already used. Each link opens one session.' },
  expired: {
    ok: false,
    code: 'key.expired',
    message: 'This link is older than 15 minutes, or “Sign out everywhere” has ended it.',
  },
  'too-many': {
    ok: false,
    code: 'key.too-many',
    message: 'Too many wrong links in the last minute. Wait a minute; a fresh link works at once.',
  },
};
