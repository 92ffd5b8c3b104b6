import type { TrackSignal } from './run-track-layout.ts';

/** Operations that a narrow screen shows at once. */
const most = 7;

/** The operations around the train, and how many there are before and after them. A short run is shown whole. */
export function aroundTheTrain(signals: readonly TrackSignal[]): {
  before: number;
  shown: readonly TrackSignal[];
  after: number;
} {
  if (signals.length <= most + 1) return { before: 0, shown: signals, after: 0 };
  const at = signals.findIndex(({ state }) => state === 'train' || state === 'stopped' || state === 'ahead');
  const middle = at < 0 ? signals.length : at;
  const first = Math.max(0, Math.min(middle - 2, signals.length - most));
  return { before: first, shown: signals.slice(first, first + most), after: signals.length - first - most };
}
