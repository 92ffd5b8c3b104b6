import type { Progress } from '../conditions/progress.ts';
import { subjectKey } from '../model/journal.ts';

/** Between two looks the API server may have been away: only what several looks in a row found is more than a moment's. */
const looksInARow = 5;

/** Since when what is unknown has been unknown, subject by subject: nodes that take turns in not answering for a moment make no lasting doubt. */
export class LastingUnknown {
  private since = new Map<string, { at: number; looks: number }>();

  /** Takes a look in, and returns for how many seconds the oldest doubt has lasted; 0 while none was found several times in a row. `now` in ms. */
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
