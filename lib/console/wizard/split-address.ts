import { withoutBrackets } from '#lib/base/ip.ts';

/**
 * Host and port of text pasted into the host field: a URL, `host:port`, `[fd00::1]:6443`. Null for anything else, which stays as typed for the check
 * `endpoint.form`.
 */
export function splitAddress(text: string): { host: string; port: string } | null {
  const trimmed = text.trim();
  if (/^https?:\/\//i.test(trimmed)) return fromUrl(trimmed);
  const bracketed = /^\[(?<host>[0-9a-f:.]+)\](?::(?<port>\d{1,5}))?$/i.exec(trimmed)?.groups;
  if (bracketed?.host !== undefined) return { host: bracketed.host, port: bracketed.port ?? '' };
  const pair = /^(?<host>[^:/\s]+):(?<port>\d{1,5})$/.exec(trimmed)?.groups;
  return pair?.host !== undefined && pair.port !== undefined ? { host: pair.host, port: pair.port } : null;
}

function fromUrl(text: string): { host: string; port: string } | null {
  if (!URL.canParse(text)) return null;
  const { hostname, port, protocol } = new URL(text);
  return { host: withoutBrackets(hostname), port: port !== '' ? port : protocol === 'https:' ? '443' : '80' };
}
