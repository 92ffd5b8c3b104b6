import type { Query, Term } from '../../query/query.ts';
import type { Dialect, Part } from './dialect.ts';

/** A condition on `keys`: everything in a query except its time. */
type Condition = Part;

/** Separators between the policies of a key, and between a policy's tier and name. Stored names never contain them (`withoutSeparators`). */
export const between = '\u001e';
export const within = '\u001f';

/** A name without the separators. */
export const withoutSeparators = (given: string) => given.replace(/[\0\u001e\u001f]/g, '\ufffd');

/** Selects the same flows as `matchesQuery`: terms with the same key are alternatives, unless they exclude. Null: no restriction. */
export function conditionOf({ terms }: Pick<Query, 'terms'>, dialect: Matching): Condition | null {
  const wanted = new Map<Term['key'], Condition[]>();
  const parts: Condition[] = [];
  for (const term of terms) {
    const own = conditionOfTerm(term, dialect);
    if (term.not) parts.push({ text: `NOT coalesce(${own.text}, false)`, values: own.values });
    else wanted.set(term.key, [...(wanted.get(term.key) ?? []), own]);
  }
  for (const alternatives of wanted.values()) parts.push(joined(alternatives, ' OR '));
  return parts.length === 0 ? null : joined(parts, ' AND ');
}

function joined(parts: readonly Condition[], by: ' AND ' | ' OR '): Condition {
  return { text: `(${parts.map(({ text }) => text).join(by)})`, values: parts.flatMap(({ values }) => values) };
}

type Matching = Pick<Dialect, 'like' | 'matches' | 'column' | 'among'>;

function conditionOfTerm(term: Term, dialect: Matching): Condition {
  switch (term.key) {
    case 'from':
      return endIs('from', term, dialect);
    case 'to':
      return joined([endIs('to', term, dialect), serviceIs(term, dialect)], ' OR ');
    case 'with':
      return joined([endIs('from', term, dialect), endIs('to', term, dialect), serviceIs(term, dialect)], ' OR ');
    case 'port':
      return { text: 'port BETWEEN ? AND ?', values: [term.first, term.last] };
    case 'verdict':
      return { text: 'verdict = ?', values: [verdictNumbers[term.verdict]] };
    case 'staged':
      return { text: 'staged = ?', values: [term.verdict] };
    case 'policy':
      return dialect.among('policies', {
        text: dialect.matches(dialect.column('policies', 'names')),
        values: [between + expression(term.tier) + within + expression(term.name) + between],
      });
    case 'proto':
      return { text: 'protocol = ?', values: [withoutSeparators(term.protocol)] };
    case 'reporter':
      return { text: 'reporter = ?', values: [term.reporter] };
  }
}

export const verdictNumbers = { allowed: 1, denied: 2, passed: 3 } as const;

type Named = { readonly namespace: string | null; readonly name: string | null };

function endIs(end: 'from' | 'to', { namespace, name }: Named, dialect: Matching): Condition {
  const has = (column: 'namespace' | 'name' | 'shown', pattern: string | null) =>
    like(dialect.column(end, column), pattern, dialect);
  const named = joined([has('name', name), has('shown', name)], ' OR ');
  return dialect.among(end, joined([has('namespace', namespace), named], ' AND '));
}

function serviceIs({ namespace, name }: Named, dialect: Matching): Condition {
  const has = (column: 'namespace' | 'name', pattern: string | null) =>
    like(dialect.column('service', column), pattern, dialect);
  return dialect.among('service', joined([has('namespace', namespace), has('name', name)], ' AND '));
}

/** `*` matches any text; null matches everything. */
function like(column: string, pattern: string | null, dialect: Matching): Condition {
  if (pattern === null) return { text: 'true', values: [] };
  if (!pattern.includes('*')) return { text: `${column} = ?`, values: [withoutSeparators(pattern)] };
  return {
    text: dialect.like(column),
    values: [
      withoutSeparators(pattern)
        .replace(/[\\%_]/g, '\\$&')
        .replaceAll('*', '%'),
    ],
  };
}

/** A pattern as an RE2 expression, whose matching time is proportional to the text, whatever the pattern. */
function expression(pattern: string | null): string {
  const any = `[^${between}${within}]*`;
  if (pattern === null) return any;
  return withoutSeparators(pattern)
    .split('*')
    .map((part) => part.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&'))
    .join(any);
}
