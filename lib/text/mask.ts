import { isRecord } from '#lib/base/records.ts';
import { secretForms } from './secret-forms.ts';
import { secretByName } from './secret-names.ts';

/** The text in place of a secret, everywhere in the same form, with the reason. */
export function mask(because: string): string {
  return `‹masked: ${because}›`;
}

/** Whether anything in a value was masked. Facts saved by earlier versions contain `<masked>`. */
export function isMasked(value: unknown): boolean {
  return typeof value === 'string' && (/‹masked: [^›]{1,80}›/.test(value) || value === '<masked>');
}

/** Masks everything in a text that looks like a secret. Text that was masked before stays unchanged. */
export function maskedText(text: string): string {
  let result = text;
  for (const { looksLike, pattern } of secretForms)
    result = result.replace(
      pattern,
      (_found, before: unknown) => `${typeof before === 'string' ? before : ''}${mask(`looks like ${looksLike}`)}`,
    );
  return result;
}

/** What a secret in the text looks like; null if there is none. */
export function secretIn(text: string): string | null {
  return secretForms.find(({ pattern }) => text.search(pattern) >= 0)?.looksLike ?? null;
}

const wholeMask = /^‹masked: [^›]{1,80}›$/;
const deepest = 40;
/** Contains a copy of the whole object as text. */
export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';
/** Keys whose whole content is credentials, whatever its keys; as a list it holds references. */
const secretBlock = /^(?:imagePullSecrets|\.?dockerconfigjson|\.dockercfg)$/i;

/**
 * Masks every value that looks like a secret, by the name of its key or by its own form. `{ name: DB_PASSWORD, value: … }` is the form in containers,
 * `{ path: "data['token']", value: … }` that in evidence. Values of Secrets are masked completely. Names and paths stay.
 */
export function maskedData(value: unknown, key = '', depth = 0): unknown {
  if (depth > deepest) return mask('too deep to look through');
  if (typeof value === 'string') return maskedString(value, key, depth);
  if (typeof value === 'number') return secretByName(key) === null ? value : mask(`looks like ${secretByName(key)}`);
  if (Array.isArray(value)) return value.map((one) => maskedData(one, key, depth + 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, maskedMember(value, name, inner, depth + 1)]),
  );
}

function maskedMember(record: Fields, key: string, value: unknown, depth: number): unknown {
  if (isRecord(value) && record.kind === 'Secret' && (key === 'data' || key === 'stringData'))
    return allMasked(value, 'a value of a Secret');
  if (isRecord(value) && secretBlock.test(key)) return allMasked(value, 'looks like a credential');
  if (key !== 'value') return maskedData(value, key, depth);
  const { name } = record;
  const path: unknown = Array.isArray(record.path) ? record.path.at(-1) : record.path;
  if (typeof path === 'string') return maskedAt(path, value, depth);
  return maskedData(value, typeof name === 'string' && name !== '' ? name : key, depth);
}

/** A value at a path such as `data['token']` or `spec.auth.password`, masked if it or its name looks like a secret. */
export function maskedAt(path: string, value: unknown, depth = 0): unknown {
  return maskedData(value, /([^.[\]'"]+)['"\]]{0,4}$/.exec(path.slice(-200))?.[1] ?? '', depth);
}

function maskedString(text: string, key: string, depth: number): string {
  const looksLike = text === '' || wholeMask.test(text) ? null : secretByName(key);
  if (looksLike !== null) return mask(`looks like ${looksLike}`);
  return key === lastAppliedAnnotation ? maskedCopy(text, depth) : maskedText(text);
}

function maskedCopy(text: string, depth: number): string {
  try {
    return JSON.stringify(maskedData(JSON.parse(text), '', depth));
  } catch {
    return maskedText(text);
  }
}

function allMasked(record: Fields, because: string): Fields {
  return Object.fromEntries(Object.keys(record).map((name) => [name, mask(because)]));
}

type Fields = Readonly<Record<string, unknown>>;
