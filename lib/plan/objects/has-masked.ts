import { isMasked } from '#lib/text/index.ts';

/** Whether a value, or anything in it, was masked because it looks like a secret: it cannot be written, nor restored by a way back. */
export function hasMasked(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return isMasked(value);
  return Object.values(value).some(hasMasked);
}
