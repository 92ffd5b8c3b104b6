import { isJson, type Json } from './merge-patch.ts';

/** What is shown in place of a credential. */
export const hidden = '••••••';
/** So that a diff still shows that a credential changes. */
const hiddenChanged = `${hidden} (changed)`;

const credentialName =
  /(^|[^a-z])(pass(word|wd|phrase)?|pwd)$|password$|secret$|token$|credentials?$|private[-_.]?key$|api[-_.]?key$|access[-_.]?key$|authorization$|client[-_.]?key([-_.]?data)?$|dockerconfigjson$|\bauth$/i;
const pem = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/;
const webToken = /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/;
const bearer = /\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/i;
/** From the slashes on: with the scheme before them a text of a hundred kilobytes takes minutes. */
const userInUrl = /:\/\/[^\s/@:]*:[^\s/@]+@/;
/** `--token=…`, `password: …`, in a line of a configuration or of arguments. */
const assigned = /(password|passwd|token|secret|api[-_]?key|client-key-data)["']?\s*[:=]\s*["']?[^\s"'/,]{4,}/i;

/** Two versions of an object with every credential hidden: equal ones the same, changed ones marked as changed. */
export function masked(before: unknown, after: unknown): { before: unknown; after: unknown } {
  const isSecret = [before, after].some((object) => isJson(object) && object.kind === 'Secret');
  return {
    before: maskedValue(before, undefined, '', isSecret),
    after: maskedValue(after, { other: before }, '', isSecret),
  };
}

type Other = { other: unknown } | undefined;

function maskedValue(value: unknown, compared: Other, key: string, inSecret: boolean): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) => maskedValue(item, sameItem(compared, item, index), key, inSecret));
  }
  if (isJson(value)) return maskedRecord(value, compared, inSecret);
  return typeof value === 'string' && value !== '' && (credentialName.test(key) || looksLikeCredential(value))
    ? mark(value, compared)
    : value;
}

function maskedRecord(value: Json, compared: Other, inSecret: boolean): Json {
  // `{ name: DB_PASSWORD, value: … }` is how containers carry them.
  const named = typeof value.name === 'string' ? value.name : '';
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const other = below(compared, key);
      if (inSecret && (key === 'data' || key === 'stringData') && isJson(member)) {
        const entries = Object.entries(member).map(
          ([name, content]) => [name, mark(content, below(other, name))] as const,
        );
        return [key, Object.fromEntries(entries)];
      }
      return [key, maskedValue(member, other, key === 'value' && named !== '' ? named : key, inSecret)];
    }),
  );
}

function mark(value: unknown, compared: Other): string {
  return compared === undefined || compared.other === undefined || compared.other === value ? hidden : hiddenChanged;
}

function below(compared: Other, key: string): Other {
  return compared && { other: isJson(compared.other) ? compared.other[key] : undefined };
}

/** Items of lists are compared by name where they have one: a variable that moved has not changed. */
function sameItem(compared: Other, item: unknown, index: number): Other {
  if (compared === undefined) return undefined;
  const others: unknown[] = Array.isArray(compared.other) ? compared.other : [];
  const name = isJson(item) ? item.name : undefined;
  const found = typeof name === 'string' ? others.find((one) => isJson(one) && one.name === name) : others[index];
  return { other: found };
}

function looksLikeCredential(text: string): boolean {
  return [pem, webToken, bearer, userInUrl, assigned].some((pattern) => pattern.test(text));
}
