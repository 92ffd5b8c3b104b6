import { span } from '#components/ui/ago.ts';

/** How long an operation took, as the track tells it; seconds. */
export function took(seconds: number): string {
  return seconds < 1 ? 'under 1 s' : span(seconds);
}
