/**
 * A request, as far as it decides about admission (architecture.md › Who may ask). Next itself would answer `Host: evil.example` with 200 and run a server
 * action without an Origin, so every request is checked here before Next gets it.
 */
export type Ask = {
  method: string;
  /** The target of the request line, unparsed. */
  target: string;
  /** All Host headers; two would be an attempt to be interpreted in two ways. */
  hosts: readonly string[];
  header(name: string): string | undefined;
};

export type Admission =
  /** Passed to Next. `session`: only because the session is valid. */
  | { kind: 'next'; because: 'session' | 'public' }
  /** Answered by the console itself, so that no changing request without a session reaches Next. */
  | { kind: 'sign-in' | 'sign-out' | 'sign-out-everywhere' | 'seen' }
  | { kind: 'to-sign-in'; location: string }
  | Refusal;

type Refusal = { kind: 'refused'; status: number; code: string; message: string };

/** Posts of a session that the console answers itself. `/seen`: a page is visible to its user (is-use.ts). */
const answeredHere: ReadonlyMap<string, 'sign-out' | 'sign-out-everywhere' | 'seen'> = new Map([
  ['/sign-out', 'sign-out'],
  ['/sign-out/everywhere', 'sign-out-everywhere'],
  ['/seen', 'seen'],
]);

/** Server actions send forms and YAML; Next has the same limit. */
const longestBodyBytes = 1024 * 1024;
/** The body of a sign-in has only a key and its name. */
export const longestSignInBytes = 4096;
const longestReturnPath = 1000;

/** Decides about a request. `own`: `name:port` of the printed link in lower case, the only host that is answered. Pure. */
export function whoMayAsk(ask: Ask, own: string, session: 'valid' | 'none'): Admission {
  const [host] = ask.hosts;
  // The answer does not reveal the name, which a foreign request does not know.
  if (ask.hosts.length !== 1 || host?.toLowerCase() !== own) {
    return refused(
      421,
      'host.foreign',
      'This console answers only at the address it printed. `bin/signalbox console link` prints it again. Through a tunnel, use the same port on both ends.',
    );
  }
  const path = pathOf(ask.target);
  if (path === null) return refused(400, 'target.form', 'The address of this request is malformed.');
  if (ask.header('upgrade') !== undefined)
    return refused(400, 'upgrade.refused', 'This console speaks plain HTTP/1.1 without upgrades.');
  const foreign = foreignTo(ask, own, path) ?? wrongBody(ask, path);
  if (foreign) return foreign;

  if (ask.method === 'POST' && path === '/sign-in') return { kind: 'sign-in' };
  if (reads(ask.method) && isPublic(path)) return { kind: 'next', because: 'public' };
  if (session === 'none') return withoutSession(ask, path);
  const answered = ask.method === 'POST' ? answeredHere.get(path) : undefined;
  if (answered !== undefined) return { kind: answered };
  return { kind: 'next', because: 'session' };
}

/** Refuses requests that other sites make a browser send, also pages on other ports of this machine: they are `same-site`, with the session cookie. */
function foreignTo(ask: Ask, own: string, path: string): Refusal | null {
  const origin = ask.header('origin')?.toLowerCase();
  const isOwn = origin === `http://${own}`;
  if (!reads(ask.method)) {
    if (!isOwn)
      return refused(
        403,
        'origin.foreign',
        'Only pages of this console may change anything; this request came from elsewhere.',
      );
    if (ask.method !== 'POST') return refused(405, 'method.unknown', `${ask.method.slice(0, 20)} is not used here.`);
    return null;
  }
  const site = ask.header('sec-fetch-site');
  const isElsewhere =
    (site !== undefined && site !== 'same-origin' && site !== 'none') || (origin !== undefined && !isOwn);
  // A link to a page is allowed, because the linking page cannot read the result. Embedding and fetching are not.
  const followsLink = ask.header('sec-fetch-mode') === 'navigate' && ask.header('sec-fetch-dest') === 'document';
  if (isElsewhere && (!followsLink || isData(path)))
    return refused(403, 'site.foreign', 'Only pages of this console may read this; this request came from elsewhere.');
  if (isData(path) && site !== 'same-origin' && !isOwn)
    return refused(403, 'site.foreign', 'Only pages of this console may read this. Open the console in a browser.');
  return null;
}

/** Refuses bodies without a Content-Length, whose size would be unlimited, and those that are too large. */
function wrongBody(ask: Ask, path: string): Refusal | null {
  const length = ask.header('content-length');
  const isChunked = ask.header('transfer-encoding') !== undefined;
  if (reads(ask.method))
    return isChunked || (length !== undefined && length !== '0')
      ? refused(400, 'body.unexpected', 'A GET request must have no body.')
      : null;
  if (isSentOn(ask, path)) return null;
  if (isChunked || length === undefined)
    return refused(411, 'body.length', 'The request needs a Content-Length header.');
  const limit = path === '/sign-in' ? longestSignInBytes : longestBodyBytes;
  return Number(length) > limit ? refused(413, 'body.long', `The body may have ${limit} bytes.`) : null;
}

/**
 * Whether Next forwards an action from a page without it (a button pressed just before the page was left) to a page that has it: by a request to this server,
 * in chunks. Next reads at most `longestBodyBytes` of an action.
 */
function isSentOn(ask: Ask, path: string): boolean {
  const isAction = ask.header('next-action') !== undefined && ask.header('x-action-forwarded') !== undefined;
  return isAction && ask.header('content-length') === undefined && path !== '/sign-in';
}

function withoutSession(ask: Ask, path: string): Admission {
  // Next's router fetches data with `RSC`. On 401 it loads the page itself, which is redirected to the sign-in.
  if (!reads(ask.method) || isData(path) || ask.header('rsc') !== undefined)
    return refused(
      401,
      'session.missing',
      'Your session has ended. `bin/signalbox console link` prints a new sign-in link; nothing on this page is lost while it is open.',
    );
  const back =
    ask.target.length <= longestReturnPath && ask.target !== '/' ? `?to=${encodeURIComponent(ask.target)}` : '';
  return { kind: 'to-sign-in', location: `/sign-in${back}` };
}

function reads(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

function isData(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}

/** Whether the path is a resource of the sign-in page. The pattern excludes paths that decode to another: `..`, `%`, `\` and empty segments. */
function isPublic(path: string): boolean {
  if (path === '/sign-in' || path === '/icon.svg' || path === '/favicon.ico') return true;
  return /^\/_next\/static(?:\/[\w~-][\w~.-]*)+$/.test(path);
}

/**
 * The path of a target in origin form; null for `http://…`, `*`, `//host`, backslashes and anything but visible ASCII, and for `.` and `..`: browsers resolve
 * them themselves, and Next would resolve them after this check, so that `/x/../api/…` would be checked as a page and answered as data.
 */
function pathOf(target: string): string | null {
  if (!/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(target)) return null;
  const path = target.split(/[?#]/, 1)[0] ?? '';
  return path.split('/').every(isPlainSegment) ? path : null;
}

function isPlainSegment(segment: string): boolean {
  try {
    return !['.', '..'].includes(decodeURIComponent(segment));
  } catch {
    // `%` without two digits, or bytes that are not UTF-8, which Next answers with 500.
    return false;
  }
}

function refused(status: number, code: string, message: string): Refusal {
  return { kind: 'refused', status, code, message };
}
