import { counted, thousands } from '#lib/base/words.ts';
import { carLabel, textWidth } from './car-label.ts';
import type { NodesByPlane, TrackNode } from './nodes-by-plane.ts';

export type CarLook = 'standard' | 'bpf' | 'moving' | 'fell-back' | 'unknown';

/** A node, or (`counts` > 1) many as one car. `x` is its left edge, `y` its middle; px of the drawing. */
export type Car = {
  key: string;
  label: string;
  title: string;
  look: CarLook;
  counts: number;
  x: number;
  y: number;
  width: number;
};

export type TwoTracks = {
  width: number;
  height: number;
  /** Ends of both tracks, and where they run. */
  rails: { from: number; to: number; standardY: number; bpfY: number };
  /** Where the middle of each crossing is: one for each car that moves, at least one. */
  crossings: number[];
  cars: Car[];
};

/** A drawing's measures. The names of the tracks stand beside them (`side`), or above the one and below the other (`outside`). */
export type TwoTracksFrame = { width: number; height: number; labelsAt: 'side' | 'outside'; movingShown: number };

export const twoTracksFrames = {
  narrow: { width: 328, height: 206, labelsAt: 'outside', movingShown: 1 },
  middle: { width: 640, height: 190, labelsAt: 'side', movingShown: 2 },
  wide: { width: 1120, height: 190, labelsAt: 'side', movingShown: 4 },
  broad: { width: 1440, height: 190, labelsAt: 'side', movingShown: 4 },
} as const satisfies Record<string, TwoTracksFrame>;

/** Above this number a track shows a bar as long as its share instead of cars by name. */
const mostByName = 40;
const mostCars = 14;
const gap = 8;
const edge = 16;

/**
 * Where each node stands. Cars of the standard track wait at its left, those on eBPF gather at the right end of theirs; what fell back stands at
 * the right end of the standard track; what nothing is known of is on neither. Pure.
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
  const car = { longest, width: carWidth };

  const fellBack = grouped(nodes['fell-back'], Math.max(1, Math.floor(slots / 3)), 'fell-back', car);
  const moving = grouped(nodes.moving, frame.movingShown, 'moving', car);
  const centre = (from + to) / 2 + (frame.labelsAt === 'side' ? 40 : 0);
  const crossings = Array.from(
    { length: Math.max(1, moving.length) },
    (_, index) => centre + (index - (Math.max(1, moving.length) - 1) / 2) * (pitch + 8),
  );
  const unknownRoom = (crossings[0] ?? centre) - reach - from;
  const unknown = grouped(nodes.unknown, Math.max(1, Math.min(4, Math.floor(unknownRoom / pitch))), 'unknown', car);

  const standardRoom = to - from - 20 - fellBack.length * pitch;
  const standard = isLarge
    ? bar(nodes.standard, all, 'standard', standardRoom)
    : grouped(nodes.standard, Math.max(1, slots - fellBack.length), 'standard', car);
  const bpf = isLarge ? bar(nodes.bpf, all, 'bpf', to - from - 20) : grouped(nodes.bpf, slots, 'bpf', car);

  return {
    width: frame.width,
    height: frame.height,
    rails: { from, to, standardY, bpfY },
    crossings,
    cars: [
      ...fromLeft(standard, from + 10, standardY),
      ...fromRight(fellBack, to - 10, standardY),
      ...moving.map((one, index) => ({ ...one, x: (crossings[index] ?? centre) - one.width / 2, y: middleY })),
      ...fromLeft(unknown, from + 10, middleY),
      ...fromRight(bpf, to - 10, bpfY),
    ].sort((a, b) => (a.key < b.key ? -1 : 1)),
  };
}

/** Half of what a crossing takes of the tracks' length. */
export const reach = 54;

type Placeless = Omit<Car, 'x' | 'y'>;

/** Cars by name; what does not fit becomes one car. A group never stands for one node alone. */
function grouped(
  nodes: readonly TrackNode[],
  most: number,
  look: CarLook,
  { longest, width }: { longest: number; width: number },
): Placeless[] {
  const named = nodes.length <= most ? nodes : nodes.slice(0, most - 1);
  const rest = nodes.length - named.length;
  const cars: Placeless[] = named.map(({ name }) => ({
    key: `node ${name}`,
    label: carLabel(name, longest),
    title: name,
    look,
    counts: 1,
    width,
  }));
  if (rest > 0) {
    const label = most === 1 ? `${thousands(rest)} nodes` : `${thousands(rest)} more`;
    cars.push({
      key: `group ${look}`,
      label,
      title: label,
      look,
      counts: rest,
      width: Math.max(width, textWidth(label) + 18),
    });
  }
  return cars;
}

/** As long as its share of all nodes, and long enough for its words. */
function bar(nodes: readonly TrackNode[], all: number, look: CarLook, room: number): Placeless[] {
  if (nodes.length === 0) return [];
  const label = counted(nodes.length, 'node');
  const width = Math.min(room, Math.max(textWidth(label) + 18, (nodes.length / all) * room));
  return [{ key: `bar ${look}`, label, title: label, look, counts: nodes.length, width }];
}

function fromLeft(cars: readonly Placeless[], left: number, y: number): Car[] {
  let x = left;
  return cars.map((car) => {
    const placed = { ...car, x, y };
    x += car.width + gap;
    return placed;
  });
}

function fromRight(cars: readonly Placeless[], right: number, y: number): Car[] {
  let x = right;
  return cars.map((car) => {
    x -= car.width;
    const placed = { ...car, x, y };
    x -= gap;
    return placed;
  });
}
