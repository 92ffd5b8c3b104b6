/**
 * Which requests get past the door (architecture.md › Who may ask). Next itself would answer `Host: evil.example` with 200 and run a server action
 * without an Origin; so every request is judged here before Next sees it. Pure: the table beside it is its test.
 */
export type Ask = {
  method: string;
  /** The request line's target as it was sent. */
  target: string;
  /** Every Host header: two of them are an attempt to be read in two ways. */
  hosts: readonly string[];
  header(name: string): string | undefined;
};

export type Admission =
  /** Next may have it. `session`: only because a valid session asks. */
  | { kind: 'next'; because: 'session' | 'public' }
  /** Answered by the console itself: no request without a session that changes anything ever reaches Next. */
  | { kind: 'sign-in' | 'sign-out' | 'sign-out-everywhere' | 'seen' }
  | { kind: 'to-sign-in'; location: string }
  | Refusal;

export type Refusal = { kind: 'refused'; status: number; code: string; message: string };

/** What a session may post and the console answers itself. `/seen`: a page is in front of somebody (is-use.ts). */
const answeredHere: ReadonlyMap<string, 'sign-out' | 'sign-out-everywhere' | 'seen'> = new Map([
  ['/sign-out', 'sign-out'],
  ['/sign-out/everywhere', 'sign-out-everywhere'],
  ['/seen', 'seen'],
]);

/** Server actions carry forms and YAML; Next's own limit for them is the same. */
const longestBodyBytes = 1024 * 1024;
/** A key and its name. */
export const longestSignInBytes = 4096;
const longestReturnPath = 1000;

/** `own`: `name:port` of the link that was printed, in lower case. It is all that this console answers to. */
export function whoMayAsk(ask: Ask, own: string, session: 'valid' | 'none'): Admission {
  const [host] = ask.hosts;
  // The answer never says the name: whoever asks for another one does not know it.
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

/** What other sites make a browser ask. Pages on other ports of this machine are `same-site` to it, and get its cookies: they are foreign too. */
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
  // Following a link to a page is fine, and shows nothing to the page that it is on. Anything that can be read or embedded is not.
  const followsLink = ask.header('sec-fetch-mode') === 'navigate' && ask.header('sec-fetch-dest') === 'document';
  if (isElsewhere && (!followsLink || isData(path)))
    return refused(403, 'site.foreign', 'Only pages of this console may read this; this request came from elsewhere.');
  if (isData(path) && site !== 'same-origin' && !isOwn)
    return refused(403, 'site.foreign', 'Only pages of this console may read this. Open the console in a browser.');
  return null;
}

/** Node frames a body by its Content-Length; without one there is no limit to it. */
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
 * An action that was asked for on a page which does not have it (a button that was pressed just before the page was left) Next sends on to one that
 * does: over this very door, in chunks. Next itself reads no more of an action than `longestBodyBytes`.
 */
function isSentOn(ask: Ask, path: string): boolean {
  const isAction = ask.header('next-action') !== undefined && ask.header('x-action-forwarded') !== undefined;
  return isAction && ask.header('content-length') === undefined && path !== '/sign-in';
}

function withoutSession(ask: Ask, path: string): Admission {
  // Next's router asks for data with `RSC`; told 401, it loads the page itself, and that is sent to the sign-in.
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

/** What the sign-in page is made of. Nothing that decodes to another path: `..`, `%`, `\` and empty segments are not in the pattern. */
function isPublic(path: string): boolean {
  if (path === '/sign-in' || path === '/icon.svg' || path === '/favicon.ico') return true;
  return /^\/_next\/static(?:\/[\w~-][\w~.-]*)+$/.test(path);
}

/**
 * Origin form only: no `http://…`, no `*`, no `//host`, no backslash, nothing that is not visible ASCII. Browsers resolve `.` and `..` before they
 * ask; Next would resolve them behind this door, so that `/x/../api/…` were judged as a page and answered as data.
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
    // `%` without two digits, or bytes that are no UTF-8: Next answers those with 500.
    return false;
  }
}

function refused(status: number, code: string, message: string): Refusal {
  return { kind: 'refused', status, code, message };
}
