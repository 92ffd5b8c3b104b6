import ipaddr from 'ipaddr.js';

/**
 * IP addresses and CIDRs as numbers, to compare ranges. Valid addresses are those of Go's `netip.ParseAddr`, which API server and operator use, without zones:
 * no leading zeros, four octets. Works in browsers too.
 */
export type Family = 4 | 6;

export type Address = { readonly family: Family; readonly value: bigint };

/** `first` and `last` address of the range. `isExact`: the given address is `first`, without bits beyond the prefix. */
export type Cidr = {
  readonly family: Family;
  readonly prefix: number;
  readonly first: bigint;
  readonly last: bigint;
  readonly isExact: boolean;
};

const widths: Readonly<Record<Family, number>> = { 4: 32, 6: 128 };

/** Null for text that Go's `netip.ParseAddr` refuses, and for addresses with a zone. */
export function parseAddress(text: string): Address | null {
  const dotted = dottedNumber(text);
  if (dotted !== null) return { family: 4, value: BigInt(dotted) };
  return isV6(text) ? { family: 6, value: numberOf(ipaddr.IPv6.parse(withoutDots(text))) } : null;
}

const [zero, dot] = [0x30, 0x2e] as const;

/**
 * The 32 bits of an IPv4 address in the form `10.0.0.1`; null for any other text. Without BigInt and the library, which takes thirty times as long: each node
 * of a big cluster reads tens of thousands.
 */
export function dottedNumber(text: string): number | null {
  let [value, octet, octets, digits] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === dot) {
      if (digits === 0 || ++octets > 3) return null;
      value = value * 256 + octet;
      octet = 0;
      digits = 0;
      continue;
    }
    const digit = code - zero;
    if (digit < 0 || digit > 9 || (digits > 0 && octet === 0)) return null;
    octet = octet * 10 + digit;
    if (octet > 255) return null;
    digits++;
  }
  return octets === 3 && digits > 0 ? value * 256 + octet : null;
}

/** Stricter than the library, which accepts zones, and in `::ffff:10.0.0.1` octets with leading zeros and hexadecimal ones. */
function isV6(text: string): boolean {
  const last = text.slice(text.lastIndexOf(':') + 1);
  const endsRight = !last.includes('.') || ipaddr.IPv4.isValidFourPartDecimal(last);
  return ipaddr.IPv6.isValid(text) && !text.includes('%') && endsRight;
}

/** Replaces the dotted part, because the library reads the IPv4-compatible `::10.0.0.1` as the IPv4-mapped `::ffff:10.0.0.1` (RFC 4291 §2.5.5). */
function withoutDots(text: string): string {
  const start = text.lastIndexOf(':') + 1;
  if (!text.includes('.')) return text;
  const value = numberOf(ipaddr.IPv4.parse(text.slice(start)));
  return `${text.slice(0, start)}${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
}

/** `10.0.0.0/24` as a range; null if the address is invalid, or the length is missing, has leading zeros or exceeds the family's 32 or 128 bits. */
export function parseCidr(text: string): Cidr | null {
  const [, base = '', length = ''] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const address = parseAddress(base);
  const prefix = Number(length);
  if (address === null || prefix > widths[address.family]) return null;
  const range = rangeAround(address, prefix);
  return { ...range, isExact: range.first === address.value };
}

function rangeAround({ family, value }: Address, prefix: number): Cidr {
  const rest = BigInt(widths[family] - prefix);
  const first = (value >> rest) << rest;
  return { family, prefix, first, last: first + (1n << rest) - 1n, isExact: true };
}

/** The range that holds one address alone: /32 or /128. */
export function cidrOfAddress(address: Address): Cidr {
  return rangeAround(address, widths[address.family]);
}

/** Whether `inner` is entirely within `outer`; false for ranges of different families. */
export function contains(outer: Cidr, inner: Cidr): boolean {
  return outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last;
}

/** Whether two ranges share an address; false for ranges of different families. */
export function overlaps(left: Cidr, right: Cidr): boolean {
  return left.family === right.family && left.first <= right.last && right.first <= left.last;
}

/** Whether an IP address is in a CIDR; false if either is invalid. `::ffff:127.0.0.1` is in 127.0.0.0/8, as in Go. */
export function isInCidr(ip: string, cidr: string): boolean {
  const address = parseAddress(ip);
  const range = parseCidr(cidr);
  if (address === null || range === null) return false;
  return [address, unmapped(address)].some((form) => contains(range, cidrOfAddress(form)));
}

/** Whether an IP address means the machine itself, in whatever notation; as Go's `IP.IsLoopback`, also `::ffff:127.0.0.1`. False for names. */
export function isLoopback(ip: string): boolean {
  return isInCidr(ip, '127.0.0.0/8') || isInCidr(ip, '::1/128');
}

/** Whether a host means the machine itself: `localhost`, or a loopback address, with or without brackets. Names as a URL has them, in lower case. */
export function isThisMachine(host: string): boolean {
  return host === 'localhost' || isLoopback(withoutBrackets(host));
}

/** `[::1]` → `::1`: the host of a URL, which has brackets around IPv6 addresses. Other text stays unchanged. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

/** `10.0.0.1` → `10.0.0.1/32`: Felix reads a bare address as the range of it. Other text stays unchanged. */
export function asCidr(text: string): string {
  const address = parseAddress(text);
  return address === null ? text : formatCidr(cidrOfAddress(address));
}

/** The IPv4 address in an IPv4-mapped one (`::ffff:10.0.0.1`, RFC 4291 §2.5.5.2); other addresses stay unchanged. */
export function unmapped({ family, value }: Address): Address {
  return family === 6 && value >> 32n === 0xffffn ? { family: 4, value: value & 0xffff_ffffn } : { family, value };
}

/** The smallest range of a family that contains all of these CIDRs: `10.0.0.0/24`, `10.0.3.0/24` → `10.0.0.0/22`. Others are ignored. Null: there is none. */
export function coveringRange(cidrs: readonly string[], family: Family): string | null {
  const ofFamily = cidrs.filter((cidr) => cidr.includes(':') === (family === 6));
  const ranges = ofFamily.map(parseCidr).filter((range) => range !== null);
  const [one] = ranges;
  if (!one) return null;
  // Every node brings one: gone through once, and not once a prefix.
  let { first, last } = one;
  for (const range of ranges) {
    if (range.first < first) first = range.first;
    if (range.last > last) last = range.last;
  }
  for (let { prefix } = one; prefix >= 0; prefix--) {
    const wide = rangeAround({ family, value: one.first }, prefix);
    if (wide.first <= first && last <= wide.last) return formatCidr(wide);
  }
  return null;
}

/** The text of an address: dotted for IPv4, by RFC 5952 for IPv6. */
export function formatAddress({ family, value }: Address): string {
  const count = widths[family] / 8;
  const byte = (index: number) => Number((value >> BigInt((count - 1 - index) * 8)) & 0xffn);
  return ipaddr.fromByteArray(Array.from({ length: count }, (_, index) => byte(index))).toString();
}

/** As text, with the bits beyond the prefix cleared: `10.1.2.3/16` becomes `10.1.0.0/16`. */
export function formatCidr({ family, first, prefix }: Cidr): string {
  return `${formatAddress({ family, value: first })}/${prefix}`;
}

/** Host and port as text: `10.0.0.1:6443`, `[fd00::1]:6443`, `api.example.com:6443`. */
export function hostAndPort({ host, port }: { readonly host: string; readonly port: string | number }): string {
  return `${bracketed(host)}:${port}`;
}

/** A host for URLs: an IPv6 address, with or without a zone, gets brackets. */
export function bracketed(host: string): string {
  return isV6(host.split('%')[0] ?? '') ? `[${host}]` : host;
}

function numberOf(address: ipaddr.IPv4 | ipaddr.IPv6): bigint {
  return address.toByteArray().reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}
