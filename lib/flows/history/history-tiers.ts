import { bucketSeconds } from '../flow.ts';
import type { HistoryTier } from './history-engine.ts';

const hour = 3600;
const day = 24 * hour;
/** Names of the tables: finest first. */
export const tierSteps = [bucketSeconds, 60, 600] as const;

/** How finely what is how old is kept: as the aggregator tells it for an hour, by the minute for a day, then by ten minutes. */
export function historyTiers(keptSeconds: number): HistoryTier[] {
  const limits = [hour, day, Number.POSITIVE_INFINITY];
  return tierSteps.map((stepSeconds, index) => ({
    stepSeconds,
    keptSeconds: Math.min(keptSeconds, limits[index] ?? keptSeconds),
  }));
}

/** How finely what is so old is kept. Seconds. */
export function stepKept(age: number): number {
  return age <= hour ? tierSteps[0] : age <= day ? tierSteps[1] : tierSteps[2];
}

const shownSteps = [15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 2 * hour, 3 * hour, 6 * hour, day];
const mostSteps = 200;

/** The step of a chart over a range: no finer than what is kept of its oldest part, and no more steps than can be told apart. Seconds. */
export function stepOf(range: { since: number; until: number }, now: number): number {
  const kept = stepKept(now - range.since);
  const least = Math.max(kept, (range.until - range.since) / mostSteps);
  return shownSteps.find((step) => step >= least && step % kept === 0) ?? day;
}
