import {
  historySeconds,
  type Moment,
  noQuery,
  parseQuery,
  type Query,
  type QueryKey,
  queryKeys,
} from '#lib/flows/index.ts';
import { usageError } from '../exit.ts';
import type { Flags, FlagTable } from '../flags.ts';

/** Flags that are terms of a query; page, URL and command line have the same grammar. Other terms are typed as words. */
const filterKeys = ['from', 'to', 'port', 'verdict', 'policy'] as const satisfies readonly QueryKey[];

export const queryFlags: FlagTable = {
  ...Object.fromEntries(
    filterKeys.map((key) => [
      key,
      { value: key.toUpperCase(), many: true as const, help: `${queryKeys[key].takes}; may be repeated` },
    ]),
  ),
  since: {
    value: 'DURATION',
    help: 'how far back: 15m (default), 2d. Calico keeps one hour, the console of this machine more',
  },
};

/** How far back, in seconds, flows are listed and followed where nothing says so. */
export const listedAgo = 15 * 60;
export const watchedAgo = 60;

/** The query from flags and words. With an end but no start it covers everything that is kept. */
export function queryOf(flags: Flags, words: readonly string[], defaultAgo: number): Query {
  const terms = filterKeys.flatMap((key) =>
    flags.list(key).map((value) => ({ flag: `--${key}`, given: value, text: `${key}:${escaped(value)}` })),
  );
  const since = flags.text('since');
  if (since !== undefined) terms.push({ flag: '--since', given: since, text: `since:${escaped(since)}` });
  let query: Query = noQuery;
  for (const { flag, given, text } of [
    ...terms,
    ...words.map((word) => ({ flag: 'QUERY', given: null, text: word })),
  ]) {
    const { query: read, problems } = parseQuery(text);
    const [problem] = problems;
    if (problem) throw usageError(`${flag}: ${JSON.stringify(given ?? problem.word)}: ${problem.message}`);
    query = {
      terms: [...query.terms, ...read.terms],
      since: read.since ?? query.since,
      until: read.until ?? query.until,
    };
  }
  return { ...query, since: query.since ?? (query.until === null ? { ago: defaultAgo } : null) };
}

/** How far back a follower begins, in seconds; not further than the aggregator keeps. */
export function secondsAgo({ since }: Query): number {
  if (since === null) return watchedAgo;
  return Math.min(
    historySeconds - 60,
    Math.max(1, 'ago' in since ? since.ago : Math.ceil(Date.now() / 1000 - since.at)),
  );
}

/** Escapes a flag's value, which is one value even with spaces. */
const escaped = (value: string) => value.replace(/[\s"\\]/g, '\\$&');

/** Why a time cannot have flows, in words; null: it may. More than Calico's hour needs the console's history. Times in seconds. */
export function timeProblem(
  { since, until }: Pick<Query, 'since' | 'until'>,
  now: number,
  keptSeconds: number = historySeconds,
): string | null {
  if (until === null) return null;
  const at = (moment: Moment) => ('at' in moment ? moment.at : now - moment.ago);
  if (at(until) <= now - keptSeconds && (since === null || at(since) >= now - keptSeconds))
    return 'until: Calico keeps an hour of flows, and nothing from before then';
  if (since !== null && at(since) >= at(until)) return 'since must be before until';
  return null;
}
