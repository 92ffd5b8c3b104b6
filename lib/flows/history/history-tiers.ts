import { bucketSeconds } from '../flow.ts';
import type { HistoryTier } from './history-engine.ts';

const hour = 3600;
const day = 24 * hour;
/** The steps of the tiers' tables, finest first. */
export const tierSteps = [bucketSeconds, 60, 600] as const;

/** The tiers of a history: an hour as the aggregator sends it, a day by the minute, then ten minutes. */
export function historyTiers(keptSeconds: number): HistoryTier[] {
  const limits = [hour, day, Number.POSITIVE_INFINITY];
  return tierSteps.map((stepSeconds, index) => ({
    stepSeconds,
    keptSeconds: Math.min(keptSeconds, limits[index] ?? keptSeconds),
  }));
}

/** The step in which flows of this age are kept, in seconds. */
export function storedStep(age: number): number {
  return age <= hour ? tierSteps[0] : age <= day ? tierSteps[1] : tierSteps[2];
}

const shownSteps = [15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 2 * hour, 3 * hour, 6 * hour, day];
const mostSteps = 200;

/** The step of a chart over a range, in seconds: no finer than the data of its oldest part, and no more steps than a reader can distinguish. */
export function stepOf(range: { since: number; until: number }, now: number): number {
  const stored = storedStep(now - range.since);
  const least = Math.max(stored, (range.until - range.since) / mostSteps);
  return shownSteps.find((step) => step >= least && step % stored === 0) ?? day;
}
