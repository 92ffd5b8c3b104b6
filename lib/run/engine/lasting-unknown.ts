import type { Progress } from '../conditions/progress.ts';
import { subjectKey } from '../model/journal.ts';

/** A doubt counts only after so many looks in a row: one long outage of the API server between two looks must not count as a doubt that lasts. */
const looksInARow = 5;

/** Since when each subject has been unknown. Counted for each subject, so that nodes that fail to answer in turn make no lasting doubt. */
export class LastingUnknown {
  private since = new Map<string, { at: number; looks: number }>();

  /** Takes in a look and returns for how many seconds the oldest doubt has lasted; 0 until one was found several times in a row. `now` in ms. */
  seconds(progress: Progress, now: number): number {
    const before = this.since;
    this.since = new Map(
      keysOf(progress).map((key) => {
        const known = before.get(key);
        return [key, { at: known?.at ?? now, looks: (known?.looks ?? 0) + 1 }];
      }),
    );
    const lasting = [...this.since.values()].filter(({ looks }) => looks >= looksInARow);
    return Math.max(0, ...lasting.map(({ at }) => (now - at) / 1000));
  }
}

function keysOf(progress: Progress): string[] {
  if (progress.kind !== 'unknown') return [];
  return progress.subjects.length > 0 ? [...new Set(progress.subjects.map(subjectKey))] : [''];
}
