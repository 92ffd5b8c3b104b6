import { historySeconds } from '../flow.ts';
import type { FlowHistory } from '../history/flow-history.ts';
import { mostListed, type RecordedSpan } from '../history/history-engine.ts';
import { stepKept } from '../history/history-tiers.ts';
import { type Changes, changedPairs } from './changed-pairs.ts';

/**
 * The two times, in seconds since the epoch, and of either how much was recorded. `isCut`: more flows were told than were compared, and silence is not
 * told.
 */
export type ChangesOfRun = Changes & {
  readonly before: RecordedSpan;
  readonly since: RecordedSpan;
  readonly secondsBefore: number;
  readonly secondsSince: number;
  readonly isCut: boolean;
};

/**
 * What talked in the hour before a run and is denied or silent since it ended, or since it began where it goes on. With a window: what talked in as long a
 * time right before the run, and is denied or silent in what of the window is since it ended. Null where nothing was recorded of either time. Times are
 * whole steps of what is kept, so that nothing of the run counts as before or since.
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
    // Time that was not recorded is none in which somebody could have been heard of.
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

/** The two times, in seconds since the epoch; null: of the window nothing is since the run ended. `now`: the end of the newest flow. */
export function comparedTimes(
  run: { readonly begun: number; readonly ended: number | null },
  window: RecordedSpan | null,
  now: number,
): { before: RecordedSpan; since: RecordedSpan } | null {
  const ended = run.ended ?? run.begun;
  const asked = { since: Math.max(window?.since ?? ended, ended), until: Math.min(window?.until ?? now, now) };
  const length = window === null ? historySeconds : asked.until - asked.since;
  const step = stepKept(now - run.begun + Math.max(0, length));
  const whole = (seconds: number) => Math.ceil(seconds / step) * step;
  const since = { since: whole(asked.since), until: asked.until };
  if (window !== null && since.since >= since.until) return null;
  const begun = Math.floor(run.begun / step) * step;
  return { before: { since: begun - whole(length), until: begun }, since };
}

const listed = (history: Pick<FlowHistory, 'list'>, { since, until }: RecordedSpan) =>
  history.list({ terms: [], since: { at: since }, until: { at: until } }, mostListed);

/** Seconds. */
function recordedIn(spans: readonly RecordedSpan[], { since, until }: RecordedSpan): number {
  return spans.reduce((sum, span) => sum + Math.max(0, Math.min(span.until, until) - Math.max(span.since, since)), 0);
}
