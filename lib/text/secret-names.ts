/** Names of fields, variables, annotations and keys whose value is a credential. `ends` matches the end of the name, whatever precedes it. */
const secretNames: readonly { looksLike: string; ends: RegExp; why: string }[] = [
  {
    looksLike: 'a password',
    ends: /(?:^|[^a-z])(?:pass|pwd)$|pass(?:word|wd|phrase)$/i,
    why: 'common names of passwords',
  },
  {
    looksLike: 'a token',
    ends: /token$/i,
    why: 'bearer tokens of service accounts, CI systems and clouds; `tokenFile` is a path',
  },
  {
    looksLike: 'a secret',
    ends: /(?:^|[^a-z])secret$|client[-_.]?secret$|[a-z]Secret$|shared[-_.]?secret$/,
    why: 'OIDC and cloud clients; `secretName` is a reference',
  },
  {
    looksLike: 'a credential',
    ends: /credentials?$|authorization$|(?:^|[^a-z])auth$|dockerconfigjson$|dockercfg$|htpasswd$/i,
    why: 'whole headers, and credentials of registries',
  },
  {
    looksLike: 'a key',
    ends: /(?:private|secret|api|access|account|signing|encryption|license)[-_.]?key$|client[-_.]?key[-_.]?data$/i,
    why: 'cloud keys, keys of certificates; `publicKey` is not a secret',
  },
];

/**
 * Numbers, or the encoding of a value, at the end of a name: `TOKEN_1`, `password.b64`. Digits one by one: in groups of several, a name of sixty digits and a
 * letter could be divided in more ways than can ever be tried.
 */
const packing = /(?:[-_.]?(?:\d|value|b64|base64|raw))+$/i;
/** Upper-case names separate words by underscores. */
const endsInSecret = /(?:^|[_-])SECRET$/;

/** What a value with this name looks like; null: nothing secret. */
export function secretByName(name: string): string | null {
  const bare = name.slice(-200).replace(packing, '');
  if (endsInSecret.test(bare)) return 'a secret';
  return secretNames.find(({ ends }) => ends.test(bare))?.looksLike ?? null;
}
