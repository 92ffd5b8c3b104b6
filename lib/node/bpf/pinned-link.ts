import { closeSync, existsSync, unlinkSync } from 'node:fs';
import type { Libbpf } from './libbpf.ts';

/**
 * Gives a link that is pinned the new program in place, so that nothing passes between the two. false where there is none; a pin of a link whose other
 * end went (ENOLINK) is removed.
 * @throws BpfError
 */
export function renewLink(libbpf: Libbpf, pin: string, program: number): boolean {
  if (!existsSync(pin)) return false;
  const link = libbpf.number('pinned', `open ${pin}`, pin);
  try {
    const updated = libbpf.numberUnless(['ENOLINK'], 'updateLink', `renew ${pin}`, link, program, null);
    if (updated !== null) return true;
    unlinkSync(pin);
    return false;
  } finally {
    closeSync(link);
  }
}
