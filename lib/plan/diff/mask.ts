import { type Fields, isRecord } from '#lib/base/records.ts';
import { mask, secretByName, secretIn } from '#lib/text/index.ts';

/** Two versions of an object with every credential hidden. Equal credentials get equal marks; changed ones are marked as changed. */
export function masked(before: unknown, after: unknown): { before: unknown; after: unknown } {
  const isSecret = [before, after].some((object) => isRecord(object) && object.kind === 'Secret');
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
  if (isRecord(value)) return maskedRecord(value, compared, inSecret);
  if (typeof value !== 'string' || value === '') return value;
  const looksLike = secretByName(key) ?? secretIn(value);
  return looksLike === null ? value : mark(value, compared, `looks like ${looksLike}`);
}

function maskedRecord(value: Fields, compared: Other, inSecret: boolean): Fields {
  // Containers have variables in the form `{ name: DB_PASSWORD, value: … }`.
  const named = typeof value.name === 'string' ? value.name : '';
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const other = below(compared, key);
      if (inSecret && (key === 'data' || key === 'stringData') && isRecord(member)) {
        const entries = Object.entries(member).map(
          ([name, content]) => [name, mark(content, below(other, name), 'a value of a Secret')] as const,
        );
        return [key, Object.fromEntries(entries)];
      }
      return [key, maskedValue(member, other, key === 'value' && named !== '' ? named : key, inSecret)];
    }),
  );
}

/** The mark of a credential, which shows whether it changes. */
function mark(value: unknown, compared: Other, because: string): string {
  const isSame = compared === undefined || compared.other === undefined || compared.other === value;
  return mask(isSame ? because : `${because}; changed`);
}

function below(compared: Other, key: string): Other {
  return compared && { other: isRecord(compared.other) ? compared.other[key] : undefined };
}

/** The item to compare with: in lists by name if there is one, so that a variable that moved counts as unchanged. */
function sameItem(compared: Other, item: unknown, index: number): Other {
  if (compared === undefined) return undefined;
  const others: unknown[] = Array.isArray(compared.other) ? compared.other : [];
  const name = isRecord(item) ? item.name : undefined;
  const found = typeof name === 'string' ? others.find((one) => isRecord(one) && one.name === name) : others[index];
  return { other: found };
}
