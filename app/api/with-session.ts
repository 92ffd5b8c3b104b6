import { host } from '#lib/console/host.ts';
import { refusal } from './refusal.ts';

type Names = Record<string, string>;

/** The form of names in a path: slugs, drafts and runs. They are passed to the host and never become part of a file path or a selector. */
const name = /^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$/;

/** A GET that needs a session. Names of an invalid form are refused. */
export function withSession<T extends Names>(work: (request: Request, names: T) => Response | Promise<Response>) {
  return async (request: Request, { params }: { params: Promise<T | undefined> }): Promise<Response> => {
    if (!host().session(request.headers.get('cookie')))
      return refusal(
        401,
        'session.missing',
        'Your session has ended. `signalbox console link` prints a new sign-in link.',
      );
    // For a path without names, Next passes no params.
    const names = (await params) ?? ({} as T);
    if (!Object.values(names).every((one) => name.test(one)))
      return refusal(404, 'not-found', 'This page does not exist.');
    return work(request, names);
  };
}
