import type { State } from '#components/ui/state-mark.tsx';
import type { ComponentStatus } from '#lib/status/index.ts';

/** By type, not by status: Degraded=True is bad, Progressing=True is what a change looks like, and no condition is unknown, never fine (calico.md §4). */
export const componentWords: Record<ComponentStatus['state'], { state: State; words: string }> = {
  degraded: { state: 'bad', words: 'Degraded' },
  progressing: { state: 'now', words: 'Rolling out' },
  available: { state: 'ok', words: 'Available' },
  unknown: { state: 'unknown', words: 'Unknown' },
};
