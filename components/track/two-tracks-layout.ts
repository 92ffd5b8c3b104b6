import { carLabel, textWidth } from './car-label.ts';
import { barOf, type Car, type CarLook, fromLeft, fromRight, mostByName, namedCars, type UnplacedCar } from './cars.ts';
import type { NodesByPlane, TrackNode } from './nodes-by-plane.ts';

export type TwoTracks = {
  width: number;
  height: number;
  /** Ends of both tracks, and their heights. */
  rails: { from: number; to: number; standardY: number; bpfY: number };
  /** Centres of the crossings: one for each moving car, at least one. */
  crossings: number[];
  cars: Car[];
};

/** A drawing's measures. Names of the tracks are beside them (`side`), or above and below (`outside`). */
export type TwoTracksFrame = { width: number; height: number; labelsAt: 'side' | 'outside'; movingShown: number };

export const twoTracksFrames = {
  narrow: { width: 328, height: 206, labelsAt: 'outside', movingShown: 1 },
  middle: { width: 640, height: 190, labelsAt: 'side', movingShown: 2 },
  wide: { width: 1120, height: 190, labelsAt: 'side', movingShown: 4 },
  broad: { width: 1440, height: 190, labelsAt: 'side', movingShown: 4 },
  broadest: { width: 1780, height: 190, labelsAt: 'side', movingShown: 4 },
} as const satisfies Record<string, TwoTracksFrame>;

const mostCars = 14;
const gap = 8;
const edge = 16;

/**
 * Positions of nodes. On the standard track cars wait at the left and those that fell back are at the right end; on the eBPF track cars gather at the right end;
 * nodes of unknown state are on neither. Pure.
 */
export function layTwoTracks(nodes: NodesByPlane, frame: TwoTracksFrame): TwoTracks {
  const from = frame.labelsAt === 'side' ? 130 : edge;
  const to = frame.width - edge;
  const standardY = frame.labelsAt === 'side' ? 44 : 58;
  const bpfY = frame.labelsAt === 'side' ? 150 : 160;
  const middleY = (standardY + bpfY) / 2;
  const longest = frame.width < 640 ? 10 : 13;
  const mayBeNamed = [nodes['fell-back'], nodes.moving, nodes.unknown];
  const all = [...mayBeNamed, nodes.standard, nodes.bpf].reduce((sum, { length }) => sum + length, 0);
  const isLarge = all > mostByName;
  if (!isLarge) mayBeNamed.push(nodes.standard, nodes.bpf);
  const names = mayBeNamed.flatMap((some) => some.slice(0, mostCars));
  const carWidth = Math.max(62, ...names.map(({ name }) => textWidth(carLabel(name, longest)) + 18));
  const pitch = carWidth + gap;
  const slots = Math.max(1, Math.min(mostCars, Math.floor((to - from - 20 + gap) / pitch)));
  const grouped = (some: readonly TrackNode[], most: number, look: CarLook) =>
    namedCars(some, most, { look, group: look }, { longest, width: carWidth, padding: 18 });
  const bar = (some: readonly TrackNode[], look: CarLook, room: number): UnplacedCar[] =>
    some.length === 0 ? [] : [barOf(some, { look, group: look }, { all, room, most: room })];

  const fellBack = grouped(nodes['fell-back'], Math.max(1, Math.floor(slots / 3)), 'fell-back');
  const moving = grouped(nodes.moving, frame.movingShown, 'moving');
  const centre = (from + to) / 2 + (frame.labelsAt === 'side' ? 40 : 0);
  const crossings = Array.from(
    { length: Math.max(1, moving.length) },
    (_, index) => centre + (index - (Math.max(1, moving.length) - 1) / 2) * (pitch + 8),
  );
  const unknownRoom = (crossings[0] ?? centre) - reach - from;
  const unknown = grouped(nodes.unknown, Math.max(1, Math.min(4, Math.floor(unknownRoom / pitch))), 'unknown');

  const standardRoom = to - from - 20 - fellBack.length * pitch;
  const standard = isLarge
    ? bar(nodes.standard, 'standard', standardRoom)
    : grouped(nodes.standard, Math.max(1, slots - fellBack.length), 'standard');
  const bpf = isLarge ? bar(nodes.bpf, 'bpf', to - from - 20) : grouped(nodes.bpf, slots, 'bpf');

  return {
    width: frame.width,
    height: frame.height,
    rails: { from, to, standardY, bpfY },
    crossings,
    cars: [
      ...fromLeft(standard, { left: from + 10, y: standardY, gap }),
      ...fromRight(fellBack, { right: to - 10, y: standardY, gap }),
      ...moving.map((one, index) => ({ ...one, x: (crossings[index] ?? centre) - one.width / 2, y: middleY })),
      ...fromLeft(unknown, { left: from + 10, y: middleY, gap }),
      ...fromRight(bpf, { right: to - 10, y: bpfY, gap }),
    ].sort((a, b) => (a.key < b.key ? -1 : 1)),
  };
}

/** Half of a crossing's length along the tracks. */
export const reach = 54;
