const hidden = '[secret]';

/**
 * What must not be in a log, by its form; errors of `lib/` carry none of it in the first place, but a log outlives its reader, and other people's
 * code writes to it as well. Each row: what it looks like, and what remains.
 */
const forms: readonly { what: string; pattern: RegExp; remains: string }[] = [
  { what: 'PEM', pattern: /-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g, remains: hidden },
  { what: 'PEM in Base64', pattern: /LS0tLS1CRUdJTi[A-Za-z0-9+/_=-]*/g, remains: hidden },
  { what: 'JWT', pattern: /\beyJ[\w-]{4,}\.[\w-]+(?:\.[\w-]*)?/g, remains: hidden },
  { what: 'EKS token', pattern: /\bk8s-aws-v1\.[\w-]+/g, remains: hidden },
  { what: 'our cookies', pattern: /\b(signalbox_\d+=)[^\s;"',]+/g, remains: `$1${hidden}` },
  { what: 'Authorization', pattern: /\b(bearer|basic|negotiate)\s+[A-Za-z0-9+/_=.~:-]{6,}/gi, remains: `$1 ${hidden}` },
  // From the slashes on: with the scheme before them a line of a hundred kilobytes takes minutes.
  { what: 'user in URL', pattern: /(:\/\/)[^\s/@"']+@/g, remains: `$1${hidden}@` },
  {
    what: 'parameter of a URL',
    pattern: /([?&#](?:key|code|sig|signature|[\w-]*token|[\w-]*secret|password|x-amz-[\w-]+)=)[^\s&#"']+/gi,
    remains: `$1${hidden}`,
  },
  {
    what: 'named value',
    pattern:
      /((?:pass(?:word|wd|phrase)|secret|token|api[-_]?key|private[-_]?key|access[-_]?key|client-(?:key|certificate)-data|credentials?|authorization|set-cookie|cookie)["']?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,;}\]]+)/gi,
    remains: `$1${hidden}`,
  },
];

/** Text for the log: without secrets, and with control characters as `\x1b`, so that a line of it is one line and moves no terminal. */
export function redact(text: string): string {
  let result = text;
  for (const { pattern, remains } of forms) result = result.replace(pattern, remains);
  return result.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
