import { inLines } from './in-lines.ts';

/** `train`: where the run is. `stopped`: where it failed or was ended. `undone` was taken back. `unknown`: its end could not be told. */
export type SignalState = 'behind' | 'train' | 'ahead' | 'stopped' | 'undone' | 'unknown';

/** One operation as the picture needs it. `seconds`: how long it took, or has taken so far. */
export type TrackSignal = { seq: number; title: string; state: SignalState; seconds: number | null };

export type PlacedSignal = TrackSignal & { x: number; y: number; lines: string[] };

export type RunTrackLayout = {
  width: number;
  height: number;
  /** One line of track a row. The track of a row that goes on runs off at the right, and comes in at the left. */
  rows: { from: number; to: number; y: number }[];
  signals: PlacedSignal[];
  /** Middle of the train; null while it has not left, or without a train. */
  train: { x: number; y: number } | null;
};

/** `perRow`: signals whose labels stay readable beside each other. */
export type RunTrackFrame = { width: number; perRow: number };

export const runTrackFrames = {
  middle: { width: 640, perRow: 5 },
  /** Beside the list of the wizard's steps. */
  broad: { width: 840, perRow: 7 },
  wide: { width: 1120, perRow: 8 },
} as const satisfies Record<string, RunTrackFrame>;

/** Room for three lines of label and a duration. */
const rowHeight = 156;
const railBelowTop = 62;
const edge = 8;
/** px of 12 px text, on average. */
const characterWidth = 6.5;

/** Where each signal of a run stands, in as many rows as keep the labels readable. Pure. */
export function layRunTrack(signals: readonly TrackSignal[], frame: RunTrackFrame): RunTrackLayout {
  const rowCount = Math.max(1, Math.ceil(signals.length / frame.perRow));
  const perRow = Math.max(1, Math.ceil(signals.length / rowCount));
  const pitch = (frame.width - 2 * edge) / perRow;
  const xOf = (column: number) => edge + pitch * (column + 0.5);
  const yOf = (row: number) => row * rowHeight + railBelowTop;
  const placed = signals.map((signal, index) => ({
    ...signal,
    x: xOf(index % perRow),
    y: yOf(Math.floor(index / perRow)),
    lines: inLines(signal.title, Math.floor((pitch - 10) / characterWidth), 3),
  }));
  const rows = Array.from({ length: rowCount }, (_, row) => {
    const inRow = placed.slice(row * perRow, (row + 1) * perRow);
    const first = inRow[0]?.x ?? xOf(0);
    const last = inRow.at(-1)?.x ?? xOf(0);
    return {
      // Half a pitch before the first signal there is room for the train.
      from: row === 0 ? Math.max(edge, first - pitch / 2) : 0,
      to: row === rowCount - 1 ? Math.min(frame.width - edge, last + pitch / 2) : frame.width,
      y: yOf(row),
    };
  });
  return {
    width: frame.width,
    height: rowCount * rowHeight,
    rows,
    signals: placed,
    train: within(frame, trainAt(placed, pitch)),
  };
}

/** Half of the train's chip, and the line around it. */
const halfTrain = 30;

/** All of the train is in the picture: at the first signal of a row there may be less room before it than it is long. */
function within({ width }: RunTrackFrame, train: RunTrackLayout['train']): RunTrackLayout['train'] {
  return train && { ...train, x: Math.min(Math.max(train.x, halfTrain), width - halfTrain) };
}

/** Before the signal that it waits at, else behind the last one that it passed; null while it has not left. */
function trainAt(signals: readonly PlacedSignal[], pitch: number): RunTrackLayout['train'] {
  const waitsAt = signals.find(({ state }) => state === 'train' || state === 'stopped');
  if (waitsAt) return { x: waitsAt.x - pitch / 2, y: waitsAt.y };
  const passed = signals.findLast(({ state }) => state === 'behind' || state === 'unknown');
  if (!passed) return null;
  const isLast = passed === signals.at(-1);
  return { x: passed.x + (isLast ? Math.min(pitch / 2, 44) : pitch / 2), y: passed.y };
}
