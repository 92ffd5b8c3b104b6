import { formatAddress, parseAddress, withoutBrackets } from '#lib/base/ip.ts';

/** The host of an endpoint by its form. `text` is canonical: IPv6 compressed, names in lower case without the final dot. */
export type EndpointHost =
  | { kind: 'ip'; family: 4 | 6; text: string }
  | { kind: 'name'; text: string }
  | { kind: 'malformed'; because: string; guess: { host: string; port?: string } | null };

/** RFC 1123 labels. The last one must not be all digits, or it would be an invalid IPv4 address. */
const hostName =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const url = /^[a-z][a-z0-9+.-]*:\/\//i;
const withPort = /^(?<host>[^:]+):(?<port>\d{1,5})$/;
const bracketed = /^\[(?<host>[^\]]*)\](?::(?<port>\d{1,5}))?$/;

/** Parses the host of an endpoint. Never throws: text that is neither an IP address nor a host name is `malformed`, with the reason. */
export function parseEndpointHost(host: string): EndpointHost {
  const ip = parseAddress(host);
  if (ip !== null) return { kind: 'ip', family: ip.family, text: formatAddress(ip) };
  const name = host.toLowerCase().replace(/\.$/, '');
  if (hostName.test(name)) return { kind: 'name', text: name };
  return { kind: 'malformed', ...whatIsWrong(host) };
}

function whatIsWrong(host: string): { because: string; guess: { host: string; port?: string } | null } {
  if (host === '') return { because: 'it is empty', guess: null };
  if (host !== host.trim()) return { because: 'it has white space around it', guess: addressGuess(host.trim()) };
  if (url.test(host)) return { because: 'it is a URL', guess: guessFromUrl(host) };
  if (host.includes('%')) return { because: 'an address with a zone means something on one machine only', guess: null };
  const inBrackets = bracketed.exec(host)?.groups;
  if (inBrackets) return { because: 'it is in brackets', guess: addressGuess(inBrackets.host, inBrackets.port) };
  if (/[/?#]/.test(host)) return { because: 'it has a path', guess: addressGuess(host.split(/[/?#]/)[0]) };
  const pair = withPort.exec(host)?.groups;
  if (pair) return { because: 'it carries the port', guess: addressGuess(pair.host, pair.port) };
  if (/^[\d.]+$/.test(host)) return { because: 'it is not a whole IPv4 address', guess: null };
  return { because: 'it is neither a host name nor an IP address', guess: null };
}

function guessFromUrl(text: string): { host: string; port?: string } | null {
  if (!URL.canParse(text)) return null;
  const { hostname, port, protocol } = new URL(text);
  const implied = protocol === 'https:' ? '443' : protocol === 'http:' ? '80' : undefined;
  return addressGuess(withoutBrackets(hostname), port === '' ? implied : port);
}

/** What an invalid host probably means; null unless the guess itself is valid. */
function addressGuess(host: string | undefined, port?: string): { host: string; port?: string } | null {
  if (host === undefined) return null;
  const address = parseEndpointHost(host);
  if (address.kind === 'malformed') return address.guess;
  return port === undefined ? { host } : { host, port };
}

/** The host of `10.0.0.1:6443`, `[fd00::1]:6443` or `fd00::1`. */
export function hostOf(hostWithPort: string): string {
  const inBrackets = bracketed.exec(hostWithPort)?.groups?.host;
  return inBrackets ?? (parseAddress(hostWithPort) !== null ? hostWithPort : hostWithPort.replace(/:\d+$/, ''));
}

/** Whether two hosts are the same address, in whatever notation. False for malformed ones. */
export function sameAddress(left: string, right: string): boolean {
  const one = parseEndpointHost(left);
  const other = parseEndpointHost(right);
  return one.kind !== 'malformed' && other.kind !== 'malformed' && one.text === other.text;
}
