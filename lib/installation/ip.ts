/**
 * IP addresses and CIDRs as numbers, for everything that asks which of two ranges holds the other. Nothing here needs Node: forms in a browser ask it
 * too. What counts as an address is what Go's `net.ParseIP` takes, as the operator does: no leading zeros, no zones.
 */
export type Family = 4 | 6;

export type Address = { readonly family: Family; readonly value: bigint };

/** `first` and `last` are the range's own; `isExact`: the address given is `first`, with no bits beyond the prefix. */
export type Cidr = {
  readonly family: Family;
  readonly prefix: number;
  readonly first: bigint;
  readonly last: bigint;
  readonly isExact: boolean;
};

const widths: Readonly<Record<Family, number>> = { 4: 32, 6: 128 };

export function parseAddress(text: string): Address | null {
  const value = text.includes(':') ? parseV6(text) : parseV4(text);
  return value === null ? null : { family: text.includes(':') ? 6 : 4, value };
}

export function parseCidr(text: string): Cidr | null {
  const [, base = '', length = ''] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const address = parseAddress(base);
  const prefix = Number(length);
  if (address === null || length === '' || prefix > widths[address.family]) return null;
  const rest = BigInt(widths[address.family] - prefix);
  const first = (address.value >> rest) << rest;
  return {
    family: address.family,
    prefix,
    first,
    last: first + (1n << rest) - 1n,
    isExact: first === address.value,
  };
}

/** One address as a range of its own. */
export function cidrOfAddress({ family, value }: Address): Cidr {
  return { family, prefix: widths[family], first: value, last: value, isExact: true };
}

export function contains(outer: Cidr, inner: Cidr): boolean {
  return outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last;
}

export function overlaps(left: Cidr, right: Cidr): boolean {
  return left.family === right.family && left.first <= right.last && right.first <= left.last;
}

/** In the form that everybody writes: dotted, or RFC 5952. */
export function formatAddress({ family, value }: Address): string {
  return family === 4 ? pieces(value, 4, 8).join('.') : formatV6(value);
}

/** With the bits beyond the prefix cleared: `10.1.2.3/16` is `10.1.0.0/16`. */
export function formatCidr({ family, first, prefix }: Cidr): string {
  return `${formatAddress({ family, value: first })}/${prefix}`;
}

function parseV4(text: string): bigint | null {
  const octets = text.split('.');
  const isValid = octets.length === 4 && octets.every((one) => /^(0|[1-9]\d{0,2})$/.test(one) && Number(one) <= 255);
  return isValid ? BigInt(octets.reduce((value, one) => value * 256 + Number(one), 0)) : null;
}

function parseV6(text: string): bigint | null {
  const halves = withoutDots(text)?.split('::') ?? [];
  if (halves.length === 0 || halves.length > 2) return null;
  const [left = [], right = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const zeros = 8 - left.length - right.length;
  const isWhole = halves.length === 2 ? zeros > 0 : zeros === 0;
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right];
  if (!isWhole || !groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null;
  return groups.reduce((value, group) => (value << 16n) + BigInt(`0x${group}`), 0n);
}

/** `::ffff:10.0.0.1`: the last 32 bits of an IPv6 address may be written as an IPv4 address. */
function withoutDots(text: string): string | null {
  const [, before, dotted] = /^(.*:)([^:]*\.[^:]*)$/.exec(text) ?? [];
  if (before === undefined || dotted === undefined) return text;
  const value = parseV4(dotted);
  return value === null ? null : `${before}${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
}

function formatV6(value: bigint): string {
  const text = pieces(value, 8, 16)
    .map((group) => group.toString(16))
    .join(':');
  // The longest run of zero groups, the first of several, and never a single one.
  const runs = [...text.matchAll(/\b0(?::0)+\b/g)].sort((a, b) => b[0].length - a[0].length);
  const run = runs[0];
  if (run === undefined) return text;
  const before = text.slice(0, run.index).replace(/:$/, '');
  const after = text.slice(run.index + run[0].length).replace(/^:/, '');
  return `${before}::${after}`;
}

function pieces(value: bigint, count: number, bits: number): bigint[] {
  const mask = (1n << BigInt(bits)) - 1n;
  return Array.from({ length: count }, (_, index) => (value >> BigInt((count - 1 - index) * bits)) & mask);
}
