import type { FindingInState } from '#lib/console/wizard/index.ts';

/** By what a reader looks for findings, worst first: the order of the table, and of the filters above it. */
export const findingKinds = ['outage', 'blocking', 'decide', 'unknown', 'note', 'accepted', 'pass', 'skipped'] as const;
export type FindingKind = (typeof findingKinds)[number];

/** Settled ones stand below the others; what only passes or does not apply is told by number, until it is asked for. */
export const settledKinds: ReadonlySet<FindingKind> = new Set(['accepted', 'pass', 'skipped']);
export const toldByNumber: readonly FindingKind[] = ['pass', 'skipped'];

export function kindOfFinding({ finding, state }: FindingInState): FindingKind {
  if (finding.outage) return 'outage';
  if (state === 'answered') return 'accepted';
  return state === 'waiting' ? 'skipped' : state;
}

/** What the reader asked for; null and an empty text: everything. */
export type FindingFilter = { kind: FindingKind | null; group: string | null; text: string };

const names = { kind: 'state', group: 'group', text: 'q' } as const;

/** From the address of the page; what it does not know is as if it was not there. */
export function filterOf(query: Pick<URLSearchParams, 'get'>, groups: readonly string[]): FindingFilter {
  const kind = query.get(names.kind);
  const group = query.get(names.group);
  return {
    kind: findingKinds.find((one) => one === kind) ?? null,
    group: groups.find((one) => one === group) ?? null,
    text: query.get(names.text) ?? '',
  };
}

/** The query of an address that shows this; whatever else stands in it stays. */
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

/** The hash of an address that opens this finding's line. */
export function hashOf(id: string): string {
  return `${hashStart}${id}`;
}

/** The finding whose line a hash opens; null where it names none, or is no text: anybody can write an address. */
export function findingOfHash(hash: string): string | null {
  try {
    return hash.startsWith(hashStart) ? decodeURIComponent(hash.slice(hashStart.length)) : null;
  } catch {
    return null;
  }
}

/** Where nothing is asked for: all but those told by number, and among these the one that the address names. */
export function shownUnasked<T extends { id: string; kind: FindingKind }>(
  rows: readonly T[],
  addressed: string | null,
) {
  return rows.filter(({ id, kind }) => id === addressed || !toldByNumber.includes(kind));
}

/** Lines that are open for one reason. */
export type SameCause<T> = { cause: string; rows: readonly T[] };

/** Lines of one cause as one, at the place of the first; a cause of one line is that line. */
export function byCause<T extends { cause: string | null }>(rows: readonly T[]): (T | SameCause<T>)[] {
  return rows.flatMap((row): (T | SameCause<T>)[] => {
    const { cause } = row;
    const same = cause === null ? [row] : rows.filter((one) => one.cause === cause);
    if (cause === null || same.length === 1) return [row];
    return same[0] === row ? [{ cause, rows: same }] : [];
  });
}

type Filtered = { kind: FindingKind; group: string; words: readonly string[] };

/** Those of the group that have every word of the text somewhere, whatever their kind. */
export function matching<T extends Filtered>(rows: readonly T[], { group, text }: FindingFilter): T[] {
  const wanted = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(
    (row) =>
      (group === null || row.group === group) &&
      wanted.every((word) => row.words.some((one) => one.toLowerCase().includes(word))),
  );
}
