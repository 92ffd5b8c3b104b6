import { historySeconds } from '../flow.ts';
import type { FlowHistory } from '../history/flow-history.ts';
import { mostListed, type RecordedSpan } from '../history/history-engine.ts';
import { storedStep } from '../history/history-tiers.ts';
import { type Changes, changedPairs } from './changed-pairs.ts';

/**
 * Changes with the two times in seconds since the epoch, and how many seconds of each were recorded. `isCut`: there were more flows than were
 * compared, so silent pairs may be missing.
 */
export type ChangesOfRun = Changes & {
  readonly before: RecordedSpan;
  readonly since: RecordedSpan;
  readonly secondsBefore: number;
  readonly secondsSince: number;
  readonly isCut: boolean;
};

/**
 * The pairs that talked in the hour before a run and are denied or silent since its end, or since its beginning if it goes on. With a window: those
 * that talked in an equally long time right before the run, and are denied or silent in the part of the window after the run. Null if one of the
 * times was not recorded. Times are rounded to whole steps of the history, so that nothing during the run counts as before or since.
 */
export async function changesInHistory(
  history: Pick<FlowHistory, 'list' | 'spans' | 'newest'>,
  run: { readonly begun: number; readonly ended: number | null },
  window: RecordedSpan | null = null,
): Promise<ChangesOfRun | null> {
  const now = history.newest();
  const times = now === null ? null : comparedTimes(run, window, now);
  if (times === null) return null;
  const { before, since } = times;
  const spans = await history.spans();
  const [known, seen] = [recordedIn(spans, before), recordedIn(spans, since)];
  if (known <= 0 || seen <= 0) return null;
  const [then, later] = await Promise.all([listed(history, before), listed(history, since)]);
  const changes = changedPairs(
    // In time that was not recorded no pair could have been seen.
    { flows: then.flows, since: before.until - known, until: before.until },
    { flows: later.flows, since: since.until - seen, until: since.until },
  );
  const pairs = later.isCut ? changes.pairs.filter(({ state }) => state === 'denied') : changes.pairs;
  return {
    ...changes,
    pairs,
    before,
    since,
    secondsBefore: known,
    secondsSince: seen,
    isCut: then.isCut || later.isCut,
  };
}

/** The times of a comparison of which no second was recorded. `ahead`: the window ends before the run does. */
export type UnrecordedTimes = 'before' | 'since' | 'both' | 'neither' | 'ahead';

/** Why `changesInHistory` has no answer. `history` null: none is kept. */
export async function unrecordedTimes(
  history: Pick<FlowHistory, 'spans' | 'newest'> | null,
  run: { readonly begun: number; readonly ended: number | null },
  window: RecordedSpan | null,
): Promise<UnrecordedTimes> {
  const now = history?.newest() ?? null;
  if (history === null || now === null) return 'both';
  const times = comparedTimes(run, window, now);
  if (times === null) return 'ahead';
  const spans = await history.spans();
  const [before, since] = [recordedIn(spans, times.before) > 0, recordedIn(spans, times.since) > 0];
  if (before) return since ? 'neither' : 'since';
  return since ? 'before' : 'both';
}

/** The two times, in seconds since the epoch; null if the window ends before the run does. `now`: the end of the newest flow. */
export function comparedTimes(
  run: { readonly begun: number; readonly ended: number | null },
  window: RecordedSpan | null,
  now: number,
): { before: RecordedSpan; since: RecordedSpan } | null {
  const ended = run.ended ?? run.begun;
  const compared = { since: Math.max(window?.since ?? ended, ended), until: Math.min(window?.until ?? now, now) };
  const length = window === null ? historySeconds : compared.until - compared.since;
  const step = storedStep(now - run.begun + Math.max(0, length));
  const inSteps = (seconds: number) => Math.ceil(seconds / step) * step;
  const since = { since: inSteps(compared.since), until: compared.until };
  if (window !== null && since.since >= since.until) return null;
  const begun = Math.floor(run.begun / step) * step;
  return { before: { since: begun - inSteps(length), until: begun }, since };
}

const listed = (history: Pick<FlowHistory, 'list'>, { since, until }: RecordedSpan) =>
  history.list({ terms: [], since: { at: since }, until: { at: until } }, mostListed);

/** Recorded seconds of a time. */
function recordedIn(spans: readonly RecordedSpan[], { since, until }: RecordedSpan): number {
  return spans.reduce((sum, span) => sum + Math.max(0, Math.min(span.until, until) - Math.max(span.since, since)), 0);
}
