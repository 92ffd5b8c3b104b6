import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { type Failure, type HostAnswer, host, type Session } from '#lib/console/host.ts';

/** Who asks; null without a valid session. Every page and action asks this first (architecture.md › Who may ask). */
async function currentSession(): Promise<Session | null> {
  return host().session((await headers()).get('cookie'));
}

/** For pages: whoever is not signed in goes to where that is done. */
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
 * For actions: works only for who is signed in, and answers a fault of ours as a value, so that a page with typed input is never replaced by an
 * error page. The host has written the fault's cause into the log.
 */
export async function forSession<T>(work: () => Promise<HostAnswer<T>>): Promise<HostAnswer<T>> {
  if (!(await currentSession())) return sessionMissing;
  try {
    return await work();
  } catch {
    return {
      ok: false,
      code: 'fault',
      message: `An error in Signalbox: it is not known if this was done. Load the page again to see; the cause is in ${host().logPath}.`,
    };
  }
}
