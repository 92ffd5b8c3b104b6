import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { type Failure, type HostAnswer, host, type Session } from '#lib/console/host.ts';

/** The session of the request; null without a valid one. Every page and action checks it first (architecture.md › Who may ask). */
async function currentSession(): Promise<Session | null> {
  return host().session((await headers()).get('cookie'));
}

/** For pages: redirects to the sign-in without a session. */
export async function requireSession(): Promise<Session> {
  const session = await currentSession();
  if (!session) redirect('/sign-in');
  return session;
}

const sessionMissing: Failure = {
  ok: false,
  code: 'session.missing',
  message:
    'Your session has ended; nothing was changed. `signalbox console link` prints a new sign-in link: open it in another tab, then try again here.',
};

/**
 * For actions: does the work only with a session, and returns errors of Signalbox as a Failure, so that a page with typed input is never replaced by an error
 * page. The host has logged their cause.
 */
export async function forSession<T>(work: () => Promise<HostAnswer<T>>): Promise<HostAnswer<T>> {
  if (!(await currentSession())) return sessionMissing;
  try {
    return await work();
  } catch {
    return {
      ok: false,
      code: 'fault',
      message: `An error in Signalbox: this may or may not have been done. Load the page again to see. The cause is in ${host().logPath}.`,
    };
  }
}
