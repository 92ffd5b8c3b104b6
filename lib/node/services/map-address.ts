import { type Address, dottedNumber, type Family, formatAddress, parseAddress, unmapped } from '#lib/base/ip.ts';

/**
 * An address as text in the one form of this folder: dotted, or RFC 5952. IPv4-mapped addresses become IPv4, as in the maps and in Go:
 * `::ffff:10.0.0.1` means 10.0.0.1.
 */
export type MapAddress = string;

/** Stands for a missing address, such as that of an unknown node. */
export const noAddress: MapAddress = '::';

/** The address of a NodePort's front: every address of this node that takes node ports. */
export const anyAddress: Readonly<Record<Family, MapAddress>> = { 4: '0.0.0.0', 6: '::' };

/** The family of an address in this folder's form. */
export function familyOf(address: MapAddress): Family {
  return address.includes(':') ? 6 : 4;
}

/** Parses an address; null if the text is none. */
export function readAddress(text: string): MapAddress | null {
  const parsed = parseAddress(text);
  return parsed === null ? null : textOf(text, parsed);
}

/**
 * As `readAddress`, but also null for addresses that no Service or endpoint may have: unspecified (with which the maps mark a NodePort), loopback,
 * link-local and multicast. The API server refuses these (ValidateNonSpecialIP, kubernetes pkg/apis/core/validation), but objects from files have not
 * passed one.
 */
export function readUsableAddress(text: string): MapAddress | null {
  const dotted = dottedNumber(text);
  if (dotted !== null) return isSpecialV4(dotted) ? null : text;
  const parsed = parseAddress(text);
  return parsed === null || isSpecial(unmapped(parsed)) ? null : textOf(text, parsed);
}

/** IPv4 text is returned as it is: the parser accepts only one form of it. */
const textOf = (text: string, parsed: Address) => (parsed.family === 4 ? text : formatAddress(unmapped(parsed)));

/** Special are 0/8, 127/8, 169.254/16, 224/4 and broadcast; `::`, `::1`, fe80::/10 and ff00::/8. */
function isSpecial({ family, value }: Address): boolean {
  if (family === 6) return value <= 1n || value >> 118n === 0x3fan || value >> 120n === 0xffn;
  return isSpecialV4(Number(value));
}

function isSpecialV4(number: number): boolean {
  const octet = Math.floor(number / 2 ** 24);
  if (octet === 169) return Math.floor(number / 2 ** 16) === 0xa9fe;
  return octet === 0 || octet === 127 || (octet >= 224 && octet < 240) || number === 0xffff_ffff;
}
