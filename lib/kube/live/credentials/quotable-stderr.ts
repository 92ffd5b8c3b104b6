import type { Redactor } from '../secret.ts';

const longestQuote = 300;

/**
 * What a plug-in printed, so far as it may be repeated: its last lines without control characters, without secrets we know, and
 * without words that look like secrets we do not know (what follows `token=` and the like, long strings that are no words).
 */
export function quotableStderr(stderr: string, redactor: Redactor): string {
  const text = redactor
    .redact(stderr)
    // Terminal colours, then whatever else is not for a sentence.
    .replace(/\u001b\[[0-9;]*[A-Za-z]/g, '')
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .replace(
      /((?:pass(?:word|wd|phrase)?|secret|token|key|credentials?|authorization|code)["']?\s*[:=]\s*["']?)(\S+)/gi,
      '$1[secret]',
    )
    .replace(/\b((?:bearer|basic|password)\s+)(\S+)/gi, '$1[secret]')
    .replace(/[A-Za-z0-9+/_=.~-]{20,}/g, (word) => (/\d/.test(word) && /[A-Za-z]/.test(word) ? '[secret]' : word))
    .trim();
  return text.length <= longestQuote ? text : `… ${text.slice(-longestQuote)}`;
}
