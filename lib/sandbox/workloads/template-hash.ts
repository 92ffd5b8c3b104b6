import { createHash } from 'node:crypto';
import { canonicalJson } from '#lib/base/records.ts';

/** The letters that Kubernetes uses in random names, so that they spell no word (apimachinery, util/rand). */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * A short name computed from its parts. Equal templates give equal revisions, so that going back finds the old one, and equal acts on a sandbox give
 * equal names.
 */
export function shortName(length: number, ...parts: string[]): string {
  const digest = createHash('sha256').update(parts.join('\0')).digest();
  return Array.from({ length }, (_, index) => alphabet[(digest[index] ?? 0) % alphabet.length]).join('');
}

/** Value of the labels `controller-revision-hash` and `pod-template-hash`, computed from the pod template. */
export function templateHash(template: object): string {
  const known = hashes.get(template);
  if (known !== undefined) return known;
  const hash = shortName(10, canonicalJson(template));
  hashes.set(template, hash);
  return hash;
}

/** Computed once per template: a controller asks for the same one in every turn, and never changes a template that it has read. */
const hashes = new WeakMap<object, string>();

/** A number in [0, 1) computed from a name: jitter that repeats. */
export function fraction(...parts: string[]): number {
  return createHash('sha256').update(parts.join('\0')).digest().readUInt16BE(0) / 0x10000;
}

/** A whole number between two, computed from a name. */
export function numberBetween([least, most]: readonly [number, number], ...seed: string[]): number {
  return Math.round(least + (most - least) * fraction(...seed));
}
