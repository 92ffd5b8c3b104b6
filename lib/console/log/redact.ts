import { maskedText, visible } from '#lib/text/index.ts';

/**
 * Text for the log: secrets are masked, and control characters become visible, so that each line stays one line and controls no terminal. Errors of `lib/`
 * contain no secrets, but packages write to the log too.
 */
export function redact(text: string): string {
  return visible(maskedText(text));
}
