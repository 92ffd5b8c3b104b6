import { isIP } from 'node:net';

/** The smallest range of a family that holds all of these CIDRs: `10.0.0.0/24`, `10.0.3.0/24` → `10.0.0.0/22`. What is no CIDR of the family is passed over. */
export function coveringRange(cidrs: readonly string[], family: 4 | 6): string | null {
  const bits = family === 4 ? 32 : 128;
  const ranges = cidrs.flatMap((cidr) => {
    const [address = '', length = ''] = cidr.split('/');
    const prefix = Number(length);
    if (isIP(address) !== family || !/^\d{1,3}$/.test(length) || prefix > bits) return [];
    const first = (numberOf(address, family) >> BigInt(bits - prefix)) << BigInt(bits - prefix);
    return [{ first, last: first + (1n << BigInt(bits - prefix)) - 1n }];
  });
  if (ranges.length === 0) return null;
  const first = ranges.reduce((least, one) => (one.first < least ? one.first : least), ranges[0]?.first ?? 0n);
  const last = ranges.reduce((most, one) => (one.last > most ? one.last : most), 0n);
  let prefix = bits;
  while (first >> BigInt(bits - prefix) !== last >> BigInt(bits - prefix)) prefix--;
  return `${textOf((first >> BigInt(bits - prefix)) << BigInt(bits - prefix), family)}/${prefix}`;
}

function numberOf(address: string, family: 4 | 6): bigint {
  if (family === 4) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  return groupsOf(address).reduce((sum, group) => sum * 65_536n + BigInt(group), 0n);
}

/** The eight numbers of an IPv6 address. `URL` writes an embedded IPv4 address as two of them: https://url.spec.whatwg.org/#concept-ipv6-serializer */
function groupsOf(address: string): number[] {
  const text = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1);
  const [head = '', tail] = text.split('::');
  const parse = (part: string | undefined) => (part ? part.split(':').map((group) => Number.parseInt(group, 16)) : []);
  const left = parse(head);
  const right = parse(tail);
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right];
}

function textOf(value: bigint, family: 4 | 6): string {
  const groups = (count: number, bits: bigint) =>
    Array.from({ length: count }, (_, i) => (value >> (bits * BigInt(count - 1 - i))) & ((1n << bits) - 1n));
  if (family === 4) return groups(4, 8n).join('.');
  const long = groups(8, 16n)
    .map((group) => group.toString(16))
    .join(':');
  return new URL(`http://[${long}]`).hostname.slice(1, -1);
}
