import { createHash } from 'node:crypto';
import { canonicalJson } from '#lib/base/records.ts';

/** The letters Kubernetes uses where a random name must not spell a word (apimachinery, util/rand). */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * A short name that follows from what it is made of: equal templates give equal revisions, so that going back finds the old one, and a
 * sandbox that is driven in the same way has the same names.
 */
export function shortName(length: number, ...parts: string[]): string {
  const digest = createHash('sha256').update(parts.join('\0')).digest();
  return Array.from({ length }, (_, index) => alphabet[(digest[index] ?? 0) % alphabet.length]).join('');
}

/** Label `controller-revision-hash` and `pod-template-hash`: what of the template decides about pods. */
export function templateHash(template: object): string {
  const known = hashes.get(template);
  if (known !== undefined) return known;
  const hash = shortName(10, canonicalJson(template));
  hashes.set(template, hash);
  return hash;
}

/** A controller asks for the same template in every turn, and a template that was read is never changed in place. */
const hashes = new WeakMap<object, string>();

/** A number in [0, 1) that belongs to a name: jitter that repeats. */
export function fraction(...parts: string[]): number {
  return createHash('sha256').update(parts.join('\0')).digest().readUInt16BE(0) / 0x10000;
}
