import type { Moment, Query, Term } from './query.ts';

/** The text of a query, which `parseQuery` reads. Equal queries have equal texts, so that addresses are the same whoever wrote them. */
export function queryText({ terms, since, until }: Query): string {
  return [
    ...terms.map(termText),
    ...(since === null ? [] : [`since:${momentText(since)}`]),
    ...(until === null ? [] : [`until:${momentText(until)}`]),
  ].join(' ');
}

function termText(term: Term): string {
  return `${term.not ? '!' : ''}${term.key}:${quoted(valueText(term))}`;
}

function valueText(term: Term): string {
  switch (term.key) {
    case 'from':
    case 'to':
    case 'with':
      // A name without namespace stands alone, unless it contains a slash.
      if (term.namespace === null) return term.name?.includes('/') ? `*/${term.name}` : (term.name ?? '*');
      return `${term.namespace}/${term.name ?? ''}`;
    case 'port':
      return term.first === term.last ? String(term.first) : `${term.first}-${term.last}`;
    case 'verdict':
    case 'staged':
      return term.verdict;
    case 'policy':
      if (term.tier === null) return term.name.includes('/') ? `*/${term.name}` : term.name;
      return `${term.tier}/${term.name}`;
    case 'proto':
      return term.protocol.toLowerCase();
    case 'reporter':
      return term.reporter;
  }
}

function quoted(value: string): string {
  return /[\s",\\]/.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : value;
}

function momentText(moment: Moment): string {
  if ('at' in moment) return new Date(moment.at * 1000).toISOString().replace('.000Z', 'Z');
  const { ago } = moment;
  for (const [unit, seconds] of [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
  ] as const)
    if (ago % seconds === 0) return `${ago / seconds}${unit}`;
  return `${ago}s`;
}
