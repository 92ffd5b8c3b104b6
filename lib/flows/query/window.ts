import type { Moment, Query } from './query.ts';

/** In seconds since the epoch; `until` is exclusive. */
export type Window = { readonly since: number; readonly until: number };

/** Pages show a window live if it ends now and is no longer than this, in seconds; any other comes from the history. */
export const liveSeconds = 15 * 60;

/** A moment in seconds since the epoch. `now`: the end of the newest flow, by the aggregator's clock. */
export function secondsOf(moment: Moment, now: number): number {
  return 'at' in moment ? moment.at : now - moment.ago;
}

/** Whether a query needs flows that a page's live rows do not contain. */
export function isPast({ since, until }: Pick<Query, 'since' | 'until'>): boolean {
  return until !== null || (since !== null && ('at' in since || since.ago > liveSeconds));
}

/** The time of a query; null if it has none. Never empty: if the end is before the beginning, it is a second long. */
export function windowOf({ since, until }: Pick<Query, 'since' | 'until'>, now: number): Window | null {
  if (since === null && until === null) return null;
  const end = until === null ? now : secondsOf(until, now);
  const begin = since === null ? end - liveSeconds : secondsOf(since, now);
  return { since: Math.min(begin, end - 1), until: end };
}

/** The query at a different time; null: live. */
export function atWindow(query: Query, window: Window | null): Query {
  if (window === null) return { ...query, since: null, until: null };
  return { ...query, since: { at: Math.floor(window.since) }, until: { at: Math.ceil(window.until) } };
}
