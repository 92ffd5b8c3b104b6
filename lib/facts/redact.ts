import { isRecord } from './lenient.ts';

export const masked = '<masked>';

const deepest = 40;
const secretName =
  /pass(word|wd|phrase)?$|token|secret|credential|private[-_.]?key|api[-_.]?key|access[-_.]?key|authorization|\bauth$/i;
/** From the slashes on: with the scheme before them a text of a hundred kilobytes takes minutes. */
const userInUrl = /(:\/\/)[^\s/@:]*:[^\s/@]*@/g;
const pem = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/;
/** The whole content is somebody's credentials, whatever the keys are called. */
const secretBlock = /^(imagePullSecrets|dockerconfigjson|\.dockerconfigjson)$/i;

/** A value without anything that looks like a secret: by the name of its key, or by its own form. */
export function redacted(value: unknown, key = '', depth = 0): unknown {
  if (depth > deepest) return masked;
  if (typeof value === 'string') return redactedText(value, key);
  if (Array.isArray(value)) return value.map((one) => redacted(one, key, depth + 1));
  if (!isRecord(value)) return secretName.test(key) && value !== null && typeof value !== 'boolean' ? masked : value;
  if (secretBlock.test(key)) return Object.fromEntries(Object.keys(value).map((one) => [one, masked]));
  // `{ name: DB_PASSWORD, value: … }` is how containers carry them.
  const name = typeof value.name === 'string' ? value.name : '';
  return Object.fromEntries(
    Object.entries(value).map(([one, inner]) => [
      one,
      redacted(inner, one === 'value' && name !== '' ? name : one, depth + 1),
    ]),
  );
}

function redactedText(text: string, key: string): string {
  if (pem.test(text)) return masked;
  if (secretName.test(key) && text !== '') return masked;
  return text.replace(userInUrl, `$1${masked}@`);
}
