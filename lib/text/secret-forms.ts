/**
 * The form of a secret, wherever it is. `pattern` finds it; its group 1, if it has one, stays before the mask. Every pattern takes linear time:
 * repetitions are bounded, or cannot begin inside themselves.
 */
export type SecretForm = { readonly looksLike: string; readonly pattern: RegExp; readonly why: string };

const named =
  'pass(?:word|wd|phrase)|secret|token|api[-_]?key|private[-_]?key|access[-_]?key|account[-_]?key|client-(?:key|certificate)-data|credentials?|authorization|set-cookie|cookie';
/** Placeholders, and text that was masked before. */
const isOpen =
  '(?:true|false|null|none)(?![\\w-])|(?:(?:bearer|basic|negotiate)\\s{1,8})?[‹<]masked|\\$\\{|\\[secret\\]';

export const secretForms: readonly SecretForm[] = [
  {
    looksLike: 'a private key',
    pattern: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z0-9 ]{0,20}-----[^-]*(?:-----END [A-Z0-9 ]{1,60}-----|$)?/g,
    why: 'PEM; a certificate is public',
  },
  {
    looksLike: 'a private key',
    // Even an RSA key of 8192 bits has fewer than 120 lines.
    pattern: /^(?:[ \t]{0,40}[A-Za-z0-9+/=]{1,80}\r?\n){1,120}[ \t]{0,40}-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----/gm,
    why: 'PEM without its beginning, as in the last lines of a log',
  },
  {
    looksLike: 'a private key',
    // "-----BEGIN" in Base64, with "PRIVATE" near the beginning in any of its three Base64 alignments.
    pattern: /LS0tLS1CRUdJTi[A-Za-z0-9+/_-]{0,40}?(?:UFJJVkFURS|QUklWQVRF|BSSVZBVE)[A-Za-z0-9+/_=-]*/g,
    why: 'the form in a kubeconfig and in a TLS Secret',
  },
  {
    looksLike: 'a token',
    pattern: /(?<![\w-])eyJ[\w-]{4,}\.[\w-]+(?:\.[\w-]*)?/g,
    why: 'JSON Web Token, as service accounts and OIDC have them',
  },
  { looksLike: 'a token', pattern: /\bk8s-aws-v1\.[\w-]+/g, why: 'EKS' },
  { looksLike: 'a token', pattern: /\bsha256~[\w-]{20,}/g, why: 'OpenShift' },
  {
    looksLike: 'a token',
    pattern:
      /\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|hvs\.[\w-]{20,}|npm_\w{30,}|ya29\.[\w-]{20,}|dop_v1_\w{20,}|sk_live_\w{16,})/g,
    why: 'GitHub, GitLab, Slack, Vault, npm, Google, DigitalOcean and Stripe mark theirs',
  },
  {
    looksLike: 'a key',
    pattern: /\b(?:A(?:KIA|SIA)[A-Z0-9]{16}|AIza[\w-]{35})/g,
    why: 'access keys of AWS and Google',
  },
  {
    looksLike: 'a credential',
    pattern:
      /\b((?:Bearer|BEARER)\s{1,8}|(?:bearer|[Bb]asic|BASIC|[Nn]egotiate)\s{1,8}(?=[a-z+/_=.~:-]{0,200}[A-Z0-9]))[A-Za-z0-9+/_=.~:-]{6,}/g,
    why: 'the header Authorization',
  },
  {
    looksLike: 'a password',
    // Begins at the slashes: with the scheme before them, a line of a hundred kilobytes takes minutes.
    pattern: /(:\/\/)(?!‹masked)[^\s/@"'<>]+(?=@)/g,
    why: 'user and password in an address',
  },
  {
    looksLike: 'a credential',
    pattern:
      /([?&#](?:key|code|sig|signature|[\w-]{0,40}token|[\w-]{0,40}secret|password|x-amz-[\w-]{1,40})=)(?!‹masked)[^\s&#"']+/gi,
    why: 'addresses that carry their own permission: sign-in links, SAS, presigned ones',
  },
  { looksLike: 'a credential', pattern: /\b(signalbox_\d{1,5}=)[^\s;"',]+/g, why: 'cookies of this console' },
  {
    looksLike: 'a credential',
    pattern: new RegExp(`((?:${named})["']?\\s{0,8}[:=]\\s{0,8}")(?!${isOpen})[^"\\\\]*(?:\\\\.[^"\\\\]*)*`, 'gi'),
    why: 'a quoted value after a name of a secret: configuration, arguments, a copied object',
  },
  {
    looksLike: 'a credential',
    pattern: new RegExp(`((?:${named})["']?\\s{0,8}[:=]\\s{0,8}')(?!${isOpen})[^']*`, 'gi'),
    why: 'the same in single quotes',
  },
  {
    looksLike: 'a credential',
    pattern: new RegExp(
      `((?:${named})["']?\\s{0,8}[:=]\\s{0,8}(?:(?:bearer|basic|negotiate)\\s{1,8})?)(?![\\s"'{[|>&*]|${isOpen})[^\\s,;}\\]]+`,
      'gi',
    ),
    why: 'the same without quotes',
  },
];
