import type { OwnAddress } from './door-tables.ts';
import type { RawRequest } from './raw-request.ts';

/**
 * The most that a request may get.
 * - `nothing`: a refusal. No page, no data, no change.
 * - `public`: what the sign-in page is made of, and no more.
 * - `key`: the sign-in itself, which looks at the key.
 * - `owner`: everything is right, and a session asks.
 */
export type Access = 'nothing' | 'public' | 'key' | 'owner';

/**
 * The expected result of a request by architecture.md › Who may ask and docs/security.md. Written from these pages instead of the code, so that the tests
 * find differences between them.
 */
export function expectedAccess(request: RawRequest, own: OwnAddress, session: 'valid' | 'none'): Access {
  // "Host must be one of ours (else 421)"; it is "the only Host that is accepted".
  if (request.hosts.length !== 1 || request.hosts[0]?.toLowerCase() !== own.host) return 'nothing';
  const path = request.target.split(/[?#]/, 1)[0] ?? '';
  if (!isPath(request.target, path)) return 'nothing';
  const origins = valuesOf(request, 'origin');
  const isOurs = origins.length === 1 && origins[0]?.toLowerCase() === own.origin;
  const reads = request.method === 'GET' || request.method === 'HEAD';
  // "Anything but GET and HEAD: Origin present and ours"; the pages post, and nothing else.
  if (!reads && (!isOurs || request.method !== 'POST')) return 'nothing';
  if (reads && isForeign(request, origins.length > 0 && !isOurs, path)) return 'nothing';
  // "Streams and data GETs: Sec-Fetch-Site: same-origin or an Origin that is ours".
  const sites = valuesOf(request, 'sec-fetch-site');
  if (reads && isData(path) && !isOurs && !(sites.length === 1 && sites[0] === 'same-origin')) return 'nothing';
  if (request.method === 'POST' && path === '/sign-in') return 'key';
  if (reads && isPublic(path)) return 'public';
  return session === 'valid' ? 'owner' : 'nothing';
}

/** "Nothing but its own origin is answered": a link on another site may be followed to a page, in the window's own frame. */
function isForeign(request: RawRequest, hasForeignOrigin: boolean, path: string): boolean {
  const sites = valuesOf(request, 'sec-fetch-site');
  const isElsewhere = sites.some((site) => site !== 'same-origin' && site !== 'none') || hasForeignOrigin;
  const followsLink = only(request, 'sec-fetch-mode') === 'navigate' && only(request, 'sec-fetch-dest') === 'document';
  return isElsewhere && (!followsLink || isData(path));
}

/** Whether the target is a path of visible ASCII that no parser can read as another path. */
function isPath(target: string, path: string): boolean {
  if (!target.startsWith('/') || target.startsWith('//') || target.includes('\\')) return false;
  if ([...target].some((letter) => letter <= ' ' || letter > '~')) return false;
  return path.split('/').every((segment) => {
    try {
      return !/^\.{1,2}$/.test(decodeURIComponent(segment));
    } catch {
      return false;
    }
  });
}

function isData(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}

function isPublic(path: string): boolean {
  return (
    ['/sign-in', '/icon.svg', '/favicon.ico'].includes(path) ||
    (path.startsWith('/_next/static/') && !/[%;]|\/\/|\/$/.test(path))
  );
}

function valuesOf({ headers }: RawRequest, name: string): string[] {
  return headers.filter(([given]) => given.toLowerCase() === name).map(([, value]) => value);
}

function only(request: RawRequest, name: string): string | undefined {
  const [value, ...more] = valuesOf(request, name);
  return more.length === 0 ? value : undefined;
}
