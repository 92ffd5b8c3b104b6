import { expect, test } from 'vitest';
import { carLabel } from './car-label.ts';
import type { Car } from './cars.ts';
import { nodesByPlane, type TrackNode } from './nodes-by-plane.ts';
import { layTwoTracks as lay, type TwoTracksFrame, twoTracksFrames } from './two-tracks-layout.ts';

const nodes = (count: number, plane: TrackNode['plane'], prefix = plane): TrackNode[] =>
  Array.from({ length: count }, (_, index) => ({ name: `${prefix}-${index + 1}`, plane }));
const layTwoTracks = (all: readonly TrackNode[], frame: TwoTracksFrame) => lay(nodesByPlane(all), frame);
const counted = (cars: readonly Car[], look: Car['look']) =>
  cars.filter((car) => car.look === look).reduce((sum, { counts }) => sum + counts, 0);

const clusters: [string, TrackNode[]][] = [
  ['six nodes that wait', nodes(6, 'standard')],
  [
    '14 in the middle of a move',
    [...nodes(5, 'standard'), ...nodes(1, 'moving'), ...nodes(7, 'bpf'), ...nodes(1, 'fell-back')],
  ],
  [
    'all kinds at once',
    [
      ...nodes(9, 'standard'),
      ...nodes(9, 'moving'),
      ...nodes(9, 'bpf'),
      ...nodes(4, 'fell-back'),
      ...nodes(9, 'unknown'),
    ],
  ],
  ['a node with a long name', nodes(3, 'standard', 'ip-10-0-31-174.eu-west-1.compute.internal' as 'standard')],
  [
    '5,000',
    [
      ...nodes(4_000, 'standard'),
      ...nodes(40, 'moving'),
      ...nodes(900, 'bpf'),
      ...nodes(30, 'fell-back'),
      ...nodes(30, 'unknown'),
    ],
  ],
  ['5,000 of which one has moved', [...nodes(4_999, 'standard'), ...nodes(1, 'bpf')]],
];

for (const [name, frame] of Object.entries(twoTracksFrames)) {
  test.each(clusters)(`%s, ${name}: no car is on another, none is outside, none is lost`, (_, cluster) => {
    const { cars, rails, width } = layTwoTracks(cluster, frame);
    for (const car of cars) {
      expect(car.x).toBeGreaterThanOrEqual(0);
      expect(car.x + car.width).toBeLessThanOrEqual(width);
      if (car.look === 'standard' || car.look === 'bpf') expect(car.x).toBeGreaterThanOrEqual(rails.from);
      for (const other of cars)
        if (other !== car && other.y === car.y)
          expect(other.x >= car.x + car.width || other.x + other.width <= car.x).toBe(true);
    }
    for (const plane of ['standard', 'bpf', 'moving', 'fell-back', 'unknown'] as const)
      expect(counted(cars, plane)).toBe(cluster.filter((node) => node.plane === plane).length);
    expect(cars.length).toBeLessThan(45);
  });
}

test('a car keeps its key when it comes to the other track: that is what makes it glide', () => {
  const key = (plane: TrackNode['plane']) => layTwoTracks([{ name: 'w-8', plane }], twoTracksFrames.wide).cars[0]?.key;
  expect(key('standard')).toBe(key('moving'));
  expect(key('moving')).toBe(key('bpf'));
});

test('of many, those that move or fell back keep their names', () => {
  const { cars } = layTwoTracks(
    [...nodes(400, 'standard'), ...nodes(2, 'moving'), ...nodes(1, 'fell-back')],
    twoTracksFrames.wide,
  );
  expect(cars.map(({ label }) => label).sort()).toEqual(['400 nodes', 'fell-back-1', 'moving-1', 'moving-2']);
});

test.each([
  ['worker-3', 'worker-3'],
  ['ip-10-0-31-174.eu-west-1.compute.internal', '…-10-0-31-174'],
  ['aks-nodepool1-32144-vmss000002', '…4-vmss000002'],
  ['10.0.0.4', '10.0.0.4'],
])('%s is %s on its car', (name, label) => {
  expect(carLabel(name, 13)).toBe(label);
});
