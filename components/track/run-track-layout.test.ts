import { expect, test } from 'vitest';
import { layRunTrack, runTrackFrames, type SignalState, type TrackSignal } from './run-track-layout.ts';

const signals = (...states: SignalState[]): TrackSignal[] =>
  states.map((state, index) => ({ seq: index + 1, title: `Operation number ${index + 1}`, state, seconds: null }));
const many = (count: number) => signals(...Array.from({ length: count }, () => 'ahead' as const));

test.each([1, 7, 8, 9, 16, 17, 24])('%d operations have labels that do not touch, inside of the picture', (count) => {
  for (const frame of Object.values(runTrackFrames)) {
    const { signals: placed, width, height } = layRunTrack(many(count), frame);
    for (const [index, signal] of placed.entries()) {
      const half = (Math.max(...signal.lines.map((line) => line.length)) * 6.5) / 2;
      expect(signal.x - half).toBeGreaterThanOrEqual(0);
      expect(signal.x + half).toBeLessThanOrEqual(width);
      expect(signal.y).toBeLessThan(height);
      const next = placed[index + 1];
      if (next && next.y === signal.y) {
        const nextHalf = (Math.max(...next.lines.map((line) => line.length)) * 6.5) / 2;
        expect(signal.x + half).toBeLessThanOrEqual(next.x - nextHalf);
      }
    }
  }
});

test('rows are filled evenly', () => {
  const { rows, signals: placed } = layRunTrack(many(9), runTrackFrames.wide);
  expect(rows).toHaveLength(2);
  expect(placed.filter(({ y }) => y === rows[0]?.y)).toHaveLength(5);
});

test('a plan has no train', () => {
  expect(layRunTrack(many(5), runTrackFrames.wide).train).toBeNull();
});

test('the train stands before the signal that it waits at', () => {
  const { train, signals: placed } = layRunTrack(signals('behind', 'train', 'ahead'), runTrackFrames.wide);
  expect(train?.x).toBeGreaterThan(placed[0]?.x ?? Number.NaN);
  expect(train?.x).toBeLessThan(placed[1]?.x ?? Number.NaN);
});

test('a train that waits at the first signal of a row is still in the picture', () => {
  const states: SignalState[] = Array.from({ length: 16 }, (_, index) =>
    index < 8 ? 'behind' : index === 8 ? 'train' : 'ahead',
  );
  const { train, width } = layRunTrack(signals(...states), runTrackFrames.wide);
  expect(train?.x).toBeGreaterThanOrEqual(28);
  expect(train?.x).toBeLessThanOrEqual(width - 28);
});

test('a train that has arrived stands behind the last signal, inside of the picture', () => {
  const { train, signals: placed, width } = layRunTrack(signals('behind', 'behind'), runTrackFrames.middle);
  expect(train?.x).toBeGreaterThan(placed[1]?.x ?? Number.NaN);
  expect(train?.x).toBeLessThan(width);
});
