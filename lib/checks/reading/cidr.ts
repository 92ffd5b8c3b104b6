import { isIP } from 'node:net';
import { isInCidr } from '#lib/spec/index.ts';

export type Cidr = { readonly text: string; readonly address: string; readonly prefix: number; readonly family: 4 | 6 };

/** `10.0.0.0/8`; null for anything else. */
export function parseCidr(text: string): Cidr | null {
  const [, address = '', digits = ''] = /^\s*([0-9a-f.:]+)\/(\d{1,3})\s*$/i.exec(text) ?? [];
  const family = isIP(address);
  const prefix = Number(digits);
  if ((family !== 4 && family !== 6) || prefix > (family === 4 ? 32 : 128)) return null;
  return { text: text.trim(), address, prefix, family };
}

/** Whether every address of the one is in the other. */
export function contains(outer: Cidr, inner: Cidr): boolean {
  return outer.family === inner.family && outer.prefix <= inner.prefix && isInCidr(inner.address, outer.text);
}
