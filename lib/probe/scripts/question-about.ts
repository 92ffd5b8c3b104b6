import { parseAddress } from '#lib/base/ip.ts';

/**
 * That cluster DNS answers by itself, whatever the cluster's domain: the name of the API's address, `NAME TYPE`. Others it would pass on to somebody else.
 * No label is 10 bytes long: bash writes what it has at a line break, and a question with one would go out as two datagrams. Throws for what is no address.
 */
export function questionAbout(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === null) throw new Error(`${JSON.stringify(address)} is no address to ask DNS about.`);
  const pointer = '12';
  if (parsed.family === 4) return `${address.split('.').reverse().join('.')}.in-addr.arpa ${pointer}`;
  // A label for each digit of four bits (RFC 3596 §2.5).
  const digits = parsed.value.toString(16).padStart(32, '0');
  return `${[...digits].reverse().join('.')}.ip6.arpa ${pointer}`;
}
