import { host } from '#lib/console/host.ts';
import { refusal } from './refusal.ts';

type Names = Record<string, string>;

/** What names in a path may look like: slugs, drafts and runs. They are handed to the host, never put together into a path or a selector. */
const name = /^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$/;

/** A GET for those who are signed in; a name that none of ours can be is not looked up. */
export function withSession<T extends Names>(work: (request: Request, names: T) => Response | Promise<Response>) {
  return async (request: Request, { params }: { params: Promise<T | undefined> }): Promise<Response> => {
    if (!host().session(request.headers.get('cookie')))
      return refusal(
        401,
        'session.missing',
        'Your session has ended. `signalbox console link` prints a new sign-in link.',
      );
    // A path without names has none, not an empty set of them.
    const names = (await params) ?? ({} as T);
    if (!Object.values(names).every((one) => name.test(one)))
      return refusal(404, 'not-found', 'This page does not exist.');
    return work(request, names);
  };
}
