import { historySeconds } from '../flow.ts';
import type { FlowHistory } from '../history/flow-history.ts';
import type { RecordedSpan } from '../history/history-engine.ts';
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

const most = 10_000;

/**
 * What talked in the hour before a run and is denied or silent since it ended, or since it began where it goes on. With a window: what talked in as long a
 * time right before the run, and is denied or silent in the window. Null where nothing was recorded of either time. Times are whole steps of what is kept,
 * so that nothing of the run counts as before or since.
 */
export async function changesInHistory(
  history: Pick<FlowHistory, 'list' | 'spans' | 'newest'>,
  run: { readonly begun: number; readonly ended: number | null },
  window: RecordedSpan | null = null,
): Promise<ChangesOfRun | null> {
  const now = history.newest();
  if (now === null) return null;
  const asked = window ?? { since: run.ended ?? run.begun, until: now };
  const length = window === null ? historySeconds : window.until - window.since;
  const step = stepKept(now - run.begun + length);
  const whole = (seconds: number) => Math.ceil(seconds / step) * step;
  const begun = Math.floor(run.begun / step) * step;
  const before = { since: begun - whole(length), until: begun };
  const since = { since: whole(asked.since), until: Math.min(now, asked.until) };
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

const listed = (history: Pick<FlowHistory, 'list'>, { since, until }: RecordedSpan) =>
  history.list({ terms: [], since: { at: since }, until: { at: until } }, most);

/** Seconds. */
function recordedIn(spans: readonly RecordedSpan[], { since, until }: RecordedSpan): number {
  return spans.reduce((sum, span) => sum + Math.max(0, Math.min(span.until, until) - Math.max(span.since, since)), 0);
}
