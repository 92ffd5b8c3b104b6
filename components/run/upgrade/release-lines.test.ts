import { expect, test } from 'vitest';
import type { RunNode } from '#lib/console/wire.ts';
import { type ReleasesOfRun, releaseLines, settledNodes } from './release-lines.ts';
import { layReleases, releaseFrames } from './release-tracks-layout.ts';

const stop = (version: string, seq: number) => ({ version, seq, operator: null, gate: null, because: null });
const oneLeg: ReleasesOfRun = { from: 'v3.30.7', operatorBefore: null, to: [stop('v3.31.4', 5)] };
const byHop: ReleasesOfRun = { from: 'v3.30.4', operatorBefore: null, to: [stop('v3.30.7', 5), stop('v3.31.4', 9)] };

const node = (name: string, state: RunNode['state'], version?: string): RunNode => ({
  name,
  state,
  dataplane: null,
  detail: '',
  evidence: [],
  since: '',
  movingSince: null,
  tookSeconds: null,
  ...(version === undefined ? {} : { version }),
});

/** `v3.30.4: a b > c` is a line with nodes a and b, from which node c is moving to the next one. */
function drawn(
  releases: ReleasesOfRun,
  nodes: RunNode[],
  arrived: number[] = [],
  direction: 'forward' | 'undo' = 'forward',
) {
  const operations = [5, 9].map((seq) => ({
    seq,
    state: arrived.includes(seq) ? ('finished' as const) : ('ahead' as const),
  }));
  const { lines, unknown } = releaseLines(releases, { nodes, operations, direction });
  const names = (some: readonly { name: string }[]) => some.map(({ name }) => name).join(' ');
  return [
    ...lines.map((line) =>
      `${line.version}: ${names([...line.waiting, ...line.proven, ...line.refused])} > ${names(line.moving)}`.trim(),
    ),
    ...(unknown.length > 0 ? [`unknown: ${names(unknown)}`] : []),
  ];
}

test('each node stands on the line of the release that its agent runs, and between two while it is replaced', () => {
  const nodes = [
    node('a', 'waiting', 'v3.30.7'),
    node('b', 'restarting', 'v3.30.7'),
    node('c', 'restarting'),
    node('d', 'restarting', 'v3.31.4'),
    node('e', 'proven', 'v3.31.4'),
    node('f', 'unknown', 'v3.30.7'),
    node('g', 'not-counted'),
  ];
  expect(drawn(oneLeg, nodes)).toEqual(['v3.30.7: a > b c d', 'v3.31.4: e >', 'unknown: f']);
});

test('by a hop: the leg that the run is on decides where a node is that tells no release', () => {
  const moving = [node('a', 'restarting')];
  expect(drawn(byHop, moving)).toEqual(['v3.30.4:  > a', 'v3.30.7:  >', 'v3.31.4:  >']);
  expect(drawn(byHop, moving, [5])).toEqual(['v3.30.4:  >', 'v3.30.7:  > a', 'v3.31.4:  >']);
});

test('on the way back a node crosses from the later release to the earlier', () => {
  const nodes = [node('a', 'proven', 'v3.30.7'), node('b', 'restarting', 'v3.31.4'), node('c', 'waiting', 'v3.31.4')];
  expect(drawn(oneLeg, nodes, [5], 'undo')).toEqual(['v3.30.7: a > b', 'v3.31.4: c >']);
});

test('images that name no release: proven is there, waiting is still here; a release of nobody is not known', () => {
  const nodes = [node('a', 'proven'), node('b', 'waiting'), node('c', 'waiting', 'v3.29.0')];
  expect(drawn(oneLeg, nodes)).toEqual(['v3.30.7: b >', 'v3.31.4: a >', 'unknown: c']);
});

test.each(Object.entries(releaseFrames))(
  '%s: every car is inside of the drawing, and none stands on another',
  (_name, frame) => {
    for (const count of [3, 14, 41, 5000]) {
      const nodes = Array.from({ length: count }, (_, index) =>
        node(
          `worker-${index}`,
          index % 7 === 0 ? 'restarting' : index % 2 ? 'proven' : 'waiting',
          index % 2 ? 'v3.31.4' : 'v3.30.7',
        ),
      );
      const lines = releaseLines(byHop, { nodes, operations: [{ seq: 5, state: 'finished' }], direction: 'forward' });
      const { cars, width, height } = layReleases(lines, frame);
      expect(cars.reduce((sum, { counts }) => sum + counts, 0)).toBe(count);
      expect(lines.lines.reduce((sum, line) => sum + settledNodes(line) + line.moving.length, 0)).toBe(count);
      for (const car of cars) {
        expect(car.x).toBeGreaterThanOrEqual(0);
        expect(car.x + car.width).toBeLessThanOrEqual(width);
        expect(car.y).toBeLessThanOrEqual(height);
      }
      for (const [index, car] of cars.entries())
        for (const other of cars.slice(index + 1))
          if (Math.abs(car.y - other.y) < 20)
            expect(car.x + car.width <= other.x + 0.5 || other.x + other.width <= car.x + 0.5).toBe(true);
    }
  },
);

test('5,000 nodes are drawn anew in a few milliseconds', () => {
  const nodes = Array.from({ length: 5000 }, (_, index) =>
    node(`worker-${index}`, index % 3 ? 'waiting' : 'proven', index % 3 ? 'v3.30.7' : 'v3.31.4'),
  );
  const draw = () => {
    const lines = releaseLines(oneLeg, { nodes, operations: [], direction: 'forward' });
    for (const frame of Object.values(releaseFrames)) layReleases(lines, frame);
  };
  for (let warm = 0; warm < 20; warm++) draw();
  const before = process.cpuUsage();
  for (let time = 0; time < 20; time++) draw();
  // A picture is 16 ms. It takes 1 to 2 here.
  expect(process.cpuUsage(before).user / 1000 / 20).toBeLessThan(16);
});
