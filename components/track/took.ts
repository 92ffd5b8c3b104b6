import { duration } from '#lib/base/words.ts';

/** How long an operation took, as the track tells it; seconds. */
export function took(seconds: number): string {
  return seconds < 1 ? 'under 1 s' : duration(seconds);
}
