import type { Moment, Query } from './query.ts';

/** Seconds since the epoch; `until` is the first second after it. */
export type Window = { readonly since: number; readonly until: number };

/** What the page follows: a window that ends now and is no longer than this is shown live, any other from the history. Seconds. */
export const liveSeconds = 15 * 60;

/** Seconds since the epoch. `now`: the end of the newest flow, by the aggregator's clock. */
export function secondsOf(moment: Moment, now: number): number {
  return 'at' in moment ? moment.at : now - moment.ago;
}

/** Whether a query asks for time that the live rows of a page do not hold. */
export function isPast({ since, until }: Pick<Query, 'since' | 'until'>): boolean {
  return until !== null || (since !== null && ('at' in since || since.ago > liveSeconds));
}

/** The time that a query asks for; null where it says none. Never empty: what ends before it begins is a second long. */
export function windowOf({ since, until }: Pick<Query, 'since' | 'until'>, now: number): Window | null {
  if (since === null && until === null) return null;
  const end = until === null ? now : secondsOf(until, now);
  const begin = since === null ? end - liveSeconds : secondsOf(since, now);
  return { since: Math.min(begin, end - 1), until: end };
}

/** The same question at another time; null: as it comes. */
export function atWindow(query: Query, window: Window | null): Query {
  if (window === null) return { ...query, since: null, until: null };
  return { ...query, since: { at: Math.floor(window.since) }, until: { at: Math.ceil(window.until) } };
}
