import { highestPort } from '#lib/base/network/ports.ts';
import { type Verdict, verdicts } from '../flow.ts';
import { type Moment, type Query, type QueryKey, queryKeys, type Term } from './query.ts';

/** A word without meaning: its position in the text, and a sentence that says what is needed. */
export type QueryProblem = { readonly at: number; readonly word: string; readonly message: string };
export type ParsedQuery = { readonly query: Query; readonly problems: readonly QueryProblem[] };

/** In characters; the rest is ignored. */
export const longestQuery = 10_000;
const mostTerms = 100;
/** `"` encloses text with spaces; `\` before a character removes its special meaning. */
const words = /(?:"(?:[^"\\]|\\.)*"?|\\.|[^\s"\\]|\\$)+/gsu;

/** Parses a query. Words that cannot be read are reported and skipped. Never throws, whatever is typed. */
export function parseQuery(text: string): ParsedQuery {
  const terms: Term[] = [];
  const problems: QueryProblem[] = [];
  const moments: { since: Moment | null; until: Moment | null } = { since: null, until: null };
  for (const match of text.slice(0, longestQuery).matchAll(words)) {
    const problem = (message: string) => problems.push({ at: match.index, word: match[0], message });
    const not = match[0].startsWith('!');
    const word = not ? match[0].slice(1) : match[0];
    const colon = word.indexOf(':');
    const key = keyOf(colon < 0 ? 'with' : word.slice(0, colon));
    if (key === null) {
      problem(`${word.slice(0, colon)} is not a key; there are ${Object.keys(queryKeys).join(', ')}`);
      continue;
    }
    for (const value of valuesOf(word.slice(colon + 1))) {
      if (terms.length >= mostTerms) return { query: { terms, ...moments }, problems };
      if (key === 'since' || key === 'until') {
        const moment = not ? null : momentOf(value);
        if (moment === null) problem(`${key} takes ${queryKeys[key].takes}`);
        else moments[key] = moment;
      } else {
        const term = termOf(key, value, not);
        if (term === null) problem(`${key} takes ${queryKeys[key].takes}`);
        else terms.push(term);
      }
    }
  }
  return { query: { terms, ...moments }, problems };
}

function keyOf(word: string): QueryKey | null {
  return Object.hasOwn(queryKeys, word) ? (word as QueryKey) : null;
}

/** Commas separate alternatives; inside quotes and after `\` a comma is part of the value. */
function valuesOf(text: string): string[] {
  const values = [''];
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? '';
    if (character === '\\' && index + 1 < text.length) values[values.length - 1] += text[++index] ?? '';
    else if (character === '"') quoted = !quoted;
    else if (character === ',' && !quoted) values.push('');
    else values[values.length - 1] += character;
  }
  return values;
}

function termOf(key: Term['key'], value: string, not: boolean): Term | null {
  switch (key) {
    case 'from':
    case 'to':
    case 'with': {
      const slash = value.indexOf('/');
      const namespace = slash <= 0 ? null : value.slice(0, slash);
      const name = value.slice(slash + 1);
      const named = name === '' || name === '*' ? null : name;
      const spaced = namespace === '*' ? null : namespace;
      return named === null && spaced === null ? null : { not, key, namespace: spaced, name: named };
    }
    case 'port': {
      const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(value) ?? [];
      const range = { first: Number(first), last: Number(last) };
      return range.first <= range.last && range.last <= highestPort ? { not, key, ...range } : null;
    }
    case 'verdict':
    case 'staged': {
      const verdict = verdictOf(value);
      return verdict === null ? null : { not, key, verdict };
    }
    case 'policy': {
      const slash = value.indexOf('/');
      const name = value.slice(slash + 1);
      const tier = slash <= 0 || value.slice(0, slash) === '*' ? null : value.slice(0, slash);
      return name === '' ? null : { not, key, tier, name };
    }
    case 'proto':
      return /^[A-Za-z0-9-]{1,20}$/.test(value) ? { not, key, protocol: value.toUpperCase() } : null;
    case 'reporter':
      return value === 'source' || value === 'destination' ? { not, key, reporter: value } : null;
  }
}

/** A verdict, also as `allow`, `deny` or `pass`. */
function verdictOf(value: string): Verdict | null {
  return verdicts.find((one) => one === value || stems[one] === value) ?? null;
}
const stems: Readonly<Record<Verdict, string>> = { allowed: 'allow', denied: 'deny', passed: 'pass' };

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const mostSeconds = 10 * 365 * 86_400;

/** A moment in whole seconds. */
function momentOf(value: string): Moment | null {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(value) ?? [];
  if (count !== undefined) {
    const ago = Number(count) * (units[unit] ?? 1);
    return ago > 0 && ago <= mostSeconds ? { ago } : null;
  }
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(value)) return null;
  const at = Math.floor(Date.parse(value) / 1000);
  return at > 0 ? { at } : null;
}
