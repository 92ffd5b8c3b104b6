import { parseAddress } from '#lib/base/ip.ts';

/**
 * A DNS query that cluster DNS answers itself, whatever the cluster's domain: the reverse name of the API's address, as `NAME TYPE`. Other names it
 * would forward. No label is 10 bytes long, because bash flushes its output at a byte with the value of a line break, and the query would be sent as
 * two datagrams. Throws if the text is no address.
 */
export function questionAbout(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === null) throw new Error(`${JSON.stringify(address)} is not an address to ask DNS about.`);
  const pointer = '12';
  if (parsed.family === 4) return `${address.split('.').reverse().join('.')}.in-addr.arpa ${pointer}`;
  // One label per digit of four bits (RFC 3596 §2.5).
  const digits = parsed.value.toString(16).padStart(32, '0');
  return `${[...digits].reverse().join('.')}.ip6.arpa ${pointer}`;
}
