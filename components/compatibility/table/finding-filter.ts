import type { FindingInState } from '#lib/console/wizard/index.ts';

/** Kinds of findings, worst first: the order of the table and of its filters. */
export const findingKinds = ['outage', 'blocking', 'decide', 'unknown', 'note', 'accepted', 'pass', 'skipped'] as const;
export type FindingKind = (typeof findingKinds)[number];

/** Settled kinds come last; passed and skipped checks are only counted until they are filtered for. */
export const settledKinds: ReadonlySet<FindingKind> = new Set(['accepted', 'pass', 'skipped']);
export const countedKinds: readonly FindingKind[] = ['pass', 'skipped'];

export function kindOfFinding({ finding, state }: FindingInState): FindingKind {
  if (finding.outage) return 'outage';
  if (state === 'answered') return 'accepted';
  return state === 'waiting' ? 'skipped' : state;
}

/** The filter; null and an empty text select everything. */
export type FindingFilter = { kind: FindingKind | null; group: string | null; text: string };

const names = { kind: 'state', group: 'group', text: 'q' } as const;

/** The filter from the page's URL; unknown values are ignored. */
export function filterOf(query: Pick<URLSearchParams, 'get'>, groups: readonly string[]): FindingFilter {
  const kind = query.get(names.kind);
  const group = query.get(names.group);
  return {
    kind: findingKinds.find((one) => one === kind) ?? null,
    group: groups.find((one) => one === group) ?? null,
    text: query.get(names.text) ?? '',
  };
}

/** The query of a URL with this filter; its other parameters stay. */
export function queryOf(filter: FindingFilter, others: string): string {
  const query = new URLSearchParams(others);
  for (const [field, name] of Object.entries(names) as [keyof typeof names, string][]) {
    const value = filter[field];
    if (value === null || value.trim() === '') query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

const hashStart = '#finding-';

/** The fragment of a URL that opens this finding's line. */
export function hashOf(id: string): string {
  return `${hashStart}${id}`;
}

/** The finding whose line a fragment opens; null if it names none or cannot be decoded. */
export function findingOfHash(hash: string): string | null {
  try {
    return hash.startsWith(hashStart) ? decodeURIComponent(hash.slice(hashStart.length)) : null;
  } catch {
    return null;
  }
}

/** The rows that are shown without a filter: all but the kinds that are only counted, and always the row that the URL names. */
export function shownUnasked<T extends { id: string; kind: FindingKind }>(
  rows: readonly T[],
  addressed: string | null,
) {
  return rows.filter(({ id, kind }) => id === addressed || !countedKinds.includes(kind));
}

/** Lines with the same cause. */
export type SameCause<T> = { cause: string; rows: readonly T[] };

/** Joins lines with the same cause into one at the first one's place; a cause with one line stays that line. */
export function byCause<T extends { cause: string | null }>(rows: readonly T[]): (T | SameCause<T>)[] {
  return rows.flatMap((row): (T | SameCause<T>)[] => {
    const { cause } = row;
    const same = cause === null ? [row] : rows.filter((one) => one.cause === cause);
    if (cause === null || same.length === 1) return [row];
    return same[0] === row ? [{ cause, rows: same }] : [];
  });
}

type Filtered = { kind: FindingKind; group: string; words: readonly string[] };

/** Lines of the group that contain every word of the text, of any kind. */
export function matchingRows<T extends Filtered>(rows: readonly T[], { group, text }: FindingFilter): T[] {
  const wanted = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(
    (row) =>
      (group === null || row.group === group) &&
      wanted.every((word) => row.words.some((one) => one.toLowerCase().includes(word))),
  );
}
