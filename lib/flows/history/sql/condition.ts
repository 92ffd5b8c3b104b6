import type { Query, Term } from '../../query/query.ts';

/** A condition on `keys`, and its parameters in order: all that a query says but its time. Values never stand in the text. */
export type Condition = { readonly text: string; readonly values: readonly (string | number)[] };

/** Between the policies of a key, and between tier and name of one: no name that is kept holds them (`plain`). */
export const between = '\u001e';
export const within = '\u001f';

/** Without what separates names in a column. */
export const plain = (given: string) => given.replace(/[\0\u001e\u001f]/g, '\ufffd');

/** The same answer as `matchesQuery`: terms of one key are alternatives, unless they take out. Null: everything is asked for. */
export function conditionOf({ terms }: Pick<Query, 'terms'>): Condition | null {
  const wanted = new Map<Term['key'], Condition[]>();
  const parts: Condition[] = [];
  for (const term of terms) {
    const own = conditionOfTerm(term);
    if (term.not) parts.push({ text: `NOT coalesce(${own.text}, false)`, values: own.values });
    else wanted.set(term.key, [...(wanted.get(term.key) ?? []), own]);
  }
  for (const alternatives of wanted.values()) parts.push(joined(alternatives, ' OR '));
  return parts.length === 0 ? null : joined(parts, ' AND ');
}

function joined(parts: readonly Condition[], by: ' AND ' | ' OR '): Condition {
  return { text: `(${parts.map(({ text }) => text).join(by)})`, values: parts.flatMap(({ values }) => values) };
}

function conditionOfTerm(term: Term): Condition {
  switch (term.key) {
    case 'from':
      return endIs('from', term);
    case 'to':
      return joined([endIs('to', term), serviceIs(term)], ' OR ');
    case 'with':
      return joined([endIs('from', term), endIs('to', term), serviceIs(term)], ' OR ');
    case 'port':
      return { text: 'port BETWEEN ? AND ?', values: [term.first, term.last] };
    case 'verdict':
      return { text: 'verdict = ?', values: [verdictNumbers[term.verdict]] };
    case 'staged':
      return { text: 'staged = ?', values: [term.verdict] };
    case 'policy':
      return {
        text: 'regexp_matches(policies, ?)',
        values: [between + expression(term.tier) + within + expression(term.name) + between],
      };
    case 'proto':
      return { text: 'protocol = ?', values: [plain(term.protocol)] };
    case 'reporter':
      return { text: 'reporter = ?', values: [term.reporter] };
  }
}

export const verdictNumbers = { allowed: 1, denied: 2, passed: 3 } as const;

type Named = { readonly namespace: string | null; readonly name: string | null };

function endIs(end: 'from' | 'to', { namespace, name }: Named): Condition {
  return joined(
    [like(`${end}_namespace`, namespace), joined([like(`${end}_name`, name), like(`${end}_shown`, name)], ' OR ')],
    ' AND ',
  );
}

function serviceIs({ namespace, name }: Named): Condition {
  const named = [{ text: 'service_name IS NOT NULL', values: [] }, like('service_namespace', namespace)];
  return joined([...named, like('service_name', name)], ' AND ');
}

/** `*` matches any text, null any. */
function like(column: string, pattern: string | null): Condition {
  if (pattern === null) return { text: 'true', values: [] };
  if (!pattern.includes('*')) return { text: `${column} = ?`, values: [plain(pattern)] };
  return {
    text: `${column} LIKE ? ESCAPE '\\'`,
    values: [
      plain(pattern)
        .replace(/[\\%_]/g, '\\$&')
        .replaceAll('*', '%'),
    ],
  };
}

/** As a regular expression of RE2, which takes time in proportion to the text, whatever the pattern. */
function expression(pattern: string | null): string {
  const any = `[^${between}${within}]*`;
  if (pattern === null) return any;
  return plain(pattern)
    .split('*')
    .map((part) => part.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&'))
    .join(any);
}
