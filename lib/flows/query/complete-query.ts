import { type Flow, verdicts } from '../flow.ts';
import { endQuery, policyQuery } from './queries-of-flow.ts';
import { type QueryKey, queryKeys, type Term } from './query.ts';
import { queryText } from './query-text.ts';

/** Words of queries by key, with the number of flows that match; the most frequent first. */
export type QueryHints = Readonly<Partial<Record<QueryKey, readonly Hint[]>>>;
type Hint = { readonly word: string; readonly flows: number };

/** A word that may replace the text from `from` to `to`. `note`: the values that the key takes, or the number of flows. */
export type Completion = { readonly word: string; readonly note: string; readonly isWhole: boolean };
export type Completions = { readonly from: number; readonly to: number; readonly offers: readonly Completion[] };

const most = 8;

/** The words for queries that occur in flows. */
export function hintsOf(flows: readonly Flow[]): QueryHints {
  const counts = new Map<QueryKey, Map<string, number>>();
  for (const flow of flows)
    for (const [key, words] of wordsOf(flow)) {
      const of = counts.get(key) ?? new Map<string, number>();
      counts.set(key, of);
      for (const word of words) of.set(word, (of.get(word) ?? 0) + 1);
    }
  return Object.fromEntries([...counts].map(([key, of]) => [key, byCount(of)]));
}

/** The most frequent first, equal counts in alphabetical order. */
export function byCount(counts: ReadonlyMap<string, number>): Hint[] {
  return [...counts]
    .map(([word, flows]) => ({ word, flows }))
    .sort((a, b) => b.flows - a.flows || (a.word < b.word ? -1 : 1));
}

/** Each word once per flow, even if both ends, or a workload and its Service, have the same. */
function wordsOf({ from, to, service, port, protocol, policies }: Flow): ReadonlyMap<QueryKey, ReadonlySet<string>> {
  const words = new Map<QueryKey, Set<string>>();
  const add = (key: QueryKey, word: string) => void words.set(key, (words.get(key) ?? new Set()).add(word));
  for (const [way, end] of [
    ['from', from],
    ['to', to],
  ] as const) {
    for (const key of [way, 'with'] as const) {
      add(key, endQuery(end, key));
      if (end.namespace !== null) add(key, wordOf({ not: false, key, namespace: end.namespace, name: null }));
    }
  }
  if (service !== null)
    for (const key of ['to', 'with'] as const)
      add(key, wordOf({ not: false, key, namespace: service.namespace ?? '-', name: service.name }));
  add('port', wordOf({ not: false, key: 'port', first: port, last: port }));
  add('proto', wordOf({ not: false, key: 'proto', protocol }));
  const hits = [...policies.enforced, ...policies.pending].map((hit) => hit.trigger ?? hit);
  for (const hit of hits) if (hit.name !== '') add('policy', policyQuery(hit));
  return words;
}

/** A term as typed. */
export const wordOf = (term: Term): string => queryText({ terms: [term], since: null, until: null });

/** Values that do not depend on the flows. */
const fixed: Readonly<Partial<Record<QueryKey, readonly string[]>>> = {
  verdict: verdicts,
  staged: ['allowed', 'denied'],
  reporter: ['source', 'destination'],
  since: ['5m', '15m', '1h', '6h', '1d', '7d'],
  until: ['5m', '15m', '1h', '6h', '1d'],
};

/** Completions for the word at the caret: keys up to the colon, then values. Offers nothing for a quoted or a complete word. */
export function completionsAt(text: string, caret: number, hints: QueryHints): Completions {
  const from = text.slice(0, caret).search(/\S*$/);
  const to = caret + text.slice(caret).search(/\s|$/);
  const typed = text.slice(from, to);
  const not = typed.startsWith('!') ? '!' : '';
  const word = typed.slice(not.length);
  const offers = /["\\]/.test(word) ? [] : offersFor(word, hints);
  return {
    from,
    to,
    offers: offers
      .filter((offer) => offer.word !== word)
      .slice(0, most)
      .map((offer) => ({ ...offer, word: `${not}${offer.word}` })),
  };
}

function offersFor(word: string, hints: QueryHints): Completion[] {
  const colon = word.indexOf(':');
  if (colon < 0) {
    const keys = (Object.keys(queryKeys) as QueryKey[])
      .filter((key) => key.startsWith(word))
      .map((key) => ({ word: `${key}:`, note: queryKeys[key].takes, isWhole: false }));
    return word === '' ? keys : [...keys, ...among(hints.with ?? [], 'with', word)];
  }
  const key = word.slice(0, colon);
  if (!Object.hasOwn(queryKeys, key)) return [];
  const known = key as QueryKey;
  const words = fixed[known]?.map((value) => ({ word: `${known}:${value}`, flows: 0 })) ?? hints[known] ?? [];
  return among(words, known, word.slice(colon + 1));
}

/** Hints that begin with the typed text, then those that contain it. */
function among(hints: readonly Hint[], key: QueryKey, value: string): Completion[] {
  const typedValue = ({ word }: Hint) => word.slice(key.length + 1).toLowerCase();
  const typed = value.toLowerCase();
  const begin = hints.filter((hint) => typedValue(hint).startsWith(typed));
  const hold = hints.filter((hint) => typedValue(hint).includes(typed) && !begin.includes(hint));
  return [...begin, ...hold].slice(0, most + 1).map(({ word, flows }) => ({
    word,
    note: flows === 0 ? '' : `${flows} ${flows === 1 ? 'flow' : 'flows'}`,
    isWhole: true,
  }));
}

/** The text with an offer inserted, and the new position of the caret: after a space if the word is complete. */
export function completed(
  text: string,
  { from, to }: Pick<Completions, 'from' | 'to'>,
  { word, isWhole }: Completion,
): { text: string; caret: number } {
  const put = `${word}${isWhole ? ' ' : ''}`;
  const after = isWhole ? text.slice(to).trimStart() : text.slice(to);
  return { text: `${text.slice(0, from)}${put}${after}`, caret: from + put.length };
}
