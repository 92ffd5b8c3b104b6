import { isIP } from 'node:net';
import { isInCidr, isThisMachine, parseCidr, withoutBrackets } from '#lib/base/ip.ts';
import { kubeconfigProblem } from '../kubeconfig/problem.ts';
import type { Secret } from '../secret.ts';
import type { ServerAddress } from './server-address.ts';

/** `auth` is the value of Proxy-Authorization, or for SOCKS the pair itself. Never printed. */
export type ProxyRoute = {
  readonly kind: 'http' | 'https' | 'socks5';
  readonly host: string;
  readonly port: number;
  readonly user: { readonly name: string; readonly password: string } | null;
  /** For sentences; without user and password. */
  readonly label: string;
};

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The proxy to a server. `proxy-url` of the kubeconfig always wins, as in client-go; otherwise Go's rules for
 * HTTPS_PROXY, HTTP_PROXY and NO_PROXY (golang.org/x/net/http/httpproxy): lower case counts too, loopback is never proxied.
 */
export function proxyFor(server: ServerAddress, configured: Secret | null, env: Env): ProxyRoute | null {
  if (configured) return parseProxy(configured.reveal(), `proxy-url of the cluster at ${server.host}`);
  const secure = server.origin.startsWith('https:');
  const name = secure ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = env[name] || env[name.toLowerCase()];
  if (!value) return null;
  // In a CGI process HTTP_PROXY may come from the request's header `Proxy` (httpoxy).
  if (!secure && env.REQUEST_METHOD) return null;
  const url = new URL(server.origin);
  const host = withoutBrackets(url.hostname).toLowerCase();
  const port = url.port || (secure ? '443' : '80');
  if (isThisMachine(host)) return null;
  if (isExcepted(host, port, env.NO_PROXY || env.no_proxy || '')) return null;
  return parseProxy(value, name);
}

function parseProxy(text: string, where: string): ProxyRoute {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : null;
  const kind = url && kinds[url.protocol];
  if (!url || !kind || url.hostname === '') {
    throw kubeconfigProblem(where, 'a URL such as http://proxy.example:3128 is needed (http, https or socks5).');
  }
  const host = withoutBrackets(url.hostname);
  const port = Number(url.port || { http: 80, https: 443, socks5: 1080 }[kind]);
  return { kind, host, port, user: userOf(url, where), label: `${url.hostname}:${port}` };
}

function userOf(url: URL, where: string): ProxyRoute['user'] {
  if (url.username === '' && url.password === '') return null;
  try {
    return { name: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
  } catch {
    throw kubeconfigProblem(where, 'user name or password are not percent-encoded properly.');
  }
}

/** Go resolves names at the proxy for both spellings of SOCKS 5. */
const kinds: Record<string, ProxyRoute['kind']> = {
  'http:': 'http',
  'https:': 'https',
  'socks5:': 'socks5',
  'socks5h:': 'socks5',
};

function isExcepted(host: string, port: string, list: string): boolean {
  return list
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && matches(host, port, entry));
}

/** One entry of NO_PROXY: `*`, a network, an address, `domain` (and below it), `.domain` (only below it); each with `:port`. */
function matches(host: string, port: string, entry: string): boolean {
  if (entry === '*') return true;
  if (parseCidr(entry) !== null) return isInCidr(host, entry);
  const [name, onlyPort] = splitPort(entry);
  if (onlyPort !== null && onlyPort !== port) return false;
  if (isIP(name) !== 0) return isInCidr(host, `${name}/${isIP(name) === 4 ? 32 : 128}`);
  const below = name.startsWith('*.') ? name.slice(1) : name;
  return below.startsWith('.') ? host.endsWith(below) : host === below || host.endsWith(`.${below}`);
}

function splitPort(entry: string): [name: string, port: string | null] {
  const bracketed = /^\[(.+)\](?::(\d+))?$/.exec(entry);
  if (bracketed) return [bracketed[1] ?? '', bracketed[2] ?? null];
  if (isIP(entry) === 6) return [entry, null];
  const withPort = /^(.+):(\d+)$/.exec(entry);
  return withPort ? [withPort[1] ?? '', withPort[2] ?? null] : [entry, null];
}
