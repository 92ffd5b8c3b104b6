import { maskedText, visible } from '#lib/text/index.ts';

/**
 * Text for the log: without secrets, and with control characters shown, so that a line of it is one line and moves no terminal. Errors of `lib/` carry
 * no secret in the first place, but a log outlives its reader, and other people's code writes to it as well.
 */
export function redact(text: string): string {
  return visible(maskedText(text));
}
