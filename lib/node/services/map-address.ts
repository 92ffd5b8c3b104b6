import { type Address, dottedNumber, type Family, formatAddress, parseAddress, unmapped } from '#lib/base/ip.ts';

/**
 * An address in the one form that it has in this folder: dotted, or RFC 5952. An IPv4-mapped one is IPv4: the maps hold IPv4 that way, and so does Go, so that
 * whoever writes `::ffff:10.0.0.1` means 10.0.0.1.
 */
export type MapAddress = string;

/** No address at all: of a node nobody knows. */
export const noAddress: MapAddress = '::';

/** The front of a NodePort: every address of this node that takes them. */
export const anyAddress: Readonly<Record<Family, MapAddress>> = { 4: '0.0.0.0', 6: '::' };

export function familyOf(address: MapAddress): Family {
  return address.includes(':') ? 6 : 4;
}

/** Null: it is none. */
export function readAddress(text: string): MapAddress | null {
  const parsed = parseAddress(text);
  return parsed === null ? null : textOf(text, parsed);
}

/**
 * As `readAddress`, and null too for what no Service or endpoint may have: unspecified (the maps' own sign of a NodePort), loopback, link-local and
 * multicast. The API server refuses these (ValidateNonSpecialIP, kubernetes pkg/apis/core/validation); what did not come through one may have them.
 */
export function readUsableAddress(text: string): MapAddress | null {
  const dotted = dottedNumber(text);
  if (dotted !== null) return isSpecialV4(dotted) ? null : text;
  const parsed = parseAddress(text);
  return parsed === null || isSpecial(unmapped(parsed)) ? null : textOf(text, parsed);
}

/** What is read as IPv4 was written in its only form. */
const textOf = (text: string, parsed: Address) => (parsed.family === 4 ? text : formatAddress(unmapped(parsed)));

/** 0/8, 127/8, 169.254/16, 224/4 and broadcast; `::`, `::1`, fe80::/10, ff00::/8. */
function isSpecial({ family, value }: Address): boolean {
  if (family === 6) return value <= 1n || value >> 118n === 0x3fan || value >> 120n === 0xffn;
  return isSpecialV4(Number(value));
}

function isSpecialV4(number: number): boolean {
  const octet = Math.floor(number / 2 ** 24);
  if (octet === 169) return Math.floor(number / 2 ** 16) === 0xa9fe;
  return octet === 0 || octet === 127 || (octet >= 224 && octet < 240) || number === 0xffff_ffff;
}
