import { carLabel, textWidth } from '#components/track/car-label.ts';
import type { Car, CarLook } from '#components/track/two-tracks-layout.ts';
import { counted, thousands } from '#lib/base/words.ts';
import { type LineNode, type ReleaseLines, standing } from './release-lines.ts';

/** `crossing`: where the way to the next line leaves it; null for the last. `isLeft`: nobody is there any more, and nobody comes again. */
export type DrawnLine = {
  version: string;
  sub: string;
  y: number;
  from: number;
  to: number;
  crossing: number | null;
  isLeft: boolean;
  /** Where a station stands over the line. */
  station: { from: number; to: number; words: string } | null;
};

export type ReleaseTracks = { width: number; height: number; lines: readonly DrawnLine[]; cars: readonly Car[] };

export type ReleaseFrame = { width: number; labelsAt: 'side' | 'outside'; pitchY: number; movingShown: number };

export const releaseFrames = {
  narrow: { width: 328, labelsAt: 'outside', pitchY: 96, movingShown: 1 },
  middle: { width: 640, labelsAt: 'side', pitchY: 84, movingShown: 2 },
  wide: { width: 1120, labelsAt: 'side', pitchY: 84, movingShown: 3 },
} as const satisfies Record<string, ReleaseFrame>;

/** Above this number a line shows a bar as long as its share instead of cars by name. */
const mostByName = 40;
const mostCars = 12;
const gap = 6;
const edge = 16;
/** Half of what a crossing takes of the lines' length. */
export const reach = 40;

/**
 * One line a release, the oldest on top; nodes wait at the left of the first, gather at the right end of the last, and cross between them. Crossings go to the
 * right from line to line, so that the way reads like a staircase. Pure.
 */
export function layReleases({ lines, unknown, counted: all }: ReleaseLines, frame: ReleaseFrame): ReleaseTracks {
  const isSide = frame.labelsAt === 'side';
  const [from, to] = [isSide ? 156 : edge, frame.width - edge];
  const isLarge = all > mostByName;
  const top = isSide ? 44 : 64;
  const legs = lines.length - 1;
  const longest = frame.width < 640 ? 9 : 12;
  const crossingAt = (leg: number) => from + ((to - from) * (leg + (legs === 1 ? 1.2 : 1))) / (legs + 1);
  const drawn = lines.map((line, index): DrawnLine => {
    const isLast = index === legs;
    const y = top + index * frame.pitchY;
    const crossing = isLast ? null : crossingAt(index);
    const isLeft = !isLast && all > 0 && standing(line) + line.moving.length === 0 && isBehind(lines, index);
    const end = isLast ? to : Math.min(to, crossingAt(index) + reach + 34);
    return {
      version: line.version,
      sub: subOf(line, isLeft),
      y,
      from,
      to: end,
      crossing,
      isLeft,
      station:
        line.role === 'hop' && crossing !== null
          ? { from: crossingAt(index - 1) + reach - 6, to: crossing - 4, words: 'Hop station' }
          : null,
    };
  });
  const cars = lines.flatMap((line, index): Car[] => {
    const here = drawn[index];
    if (here === undefined) return [];
    // Where nobody comes any more, the joint of the crossing needs no room.
    const isJoined = lines.slice(0, index).some((other) => standing(other) + other.moving.length > 0);
    const before = index === 0 || !isJoined ? from : crossingAt(index - 1) + reach;
    const left = before + 8;
    const right = here.crossing === null ? to - 8 : here.crossing - reach + 8;
    const room = Math.max(60, right - left);
    const placed = [
      ...groupsOf(line.proven, 'bpf'),
      ...groupsOf(line.refused, 'fell-back'),
      ...groupsOf(line.waiting, 'standard'),
    ];
    const fitted = inRoom(placed, { room, isLarge, all, longest, key: line.version });
    const y = here.y;
    const stand = index === legs ? fromRight(fitted, right, y) : fromLeft(fitted, left, y);
    const moving = inRoom(groupsOf(line.moving, 'moving'), {
      room: frame.movingShown * 84,
      isLarge: false,
      all,
      longest,
      key: `${line.version} moving`,
    });
    const wide = moving.reduce((sum, { width }) => sum + width + gap, -gap);
    const middle = (here.crossing ?? to) + (isSide ? 4 : 0);
    return [
      ...stand,
      ...fromLeft(moving, Math.max(from, Math.min(middle - wide / 2, to - wide)), y + frame.pitchY / 2),
    ];
  });
  const height = top + legs * frame.pitchY + (unknown.length > 0 ? 62 : 34);
  const apart = inRoom(groupsOf(unknown, 'unknown'), { room: to - from, isLarge, all, longest, key: 'unknown' });
  return {
    width: frame.width,
    height,
    lines: drawn,
    cars: [...cars, ...fromLeft(apart, from + 8, height - 18)].sort((a, b) => (a.key < b.key ? -1 : 1)),
  };
}

const isBehind = (lines: ReleaseLines['lines'], index: number) =>
  lines.slice(index + 1).some((line) => standing(line) > 0 || line.moving.length > 0);

function subOf(line: ReleaseLines['lines'][number], isLeft: boolean): string {
  const { role, waiting, proven, refused } = line;
  const told = [
    waiting.length === 0
      ? ''
      : `${counted(waiting.length, 'node')} ${role === 'to' ? 'not proven' : waiting.length === 1 ? 'waits' : 'wait'}`,
    proven.length === 0 ? '' : `${counted(proven.length, 'node')} proven`,
    refused.length === 0 ? '' : `${refused.length} refused`,
  ].filter((part) => part !== '');
  const words = told.length > 0 ? told.join(', ') : isLeft ? 'left' : role === 'from' ? '' : 'ahead';
  return role === 'hop' ? ['hop', words].filter((part) => part !== '').join(' · ') : words;
}

type Group = { nodes: readonly LineNode[]; look: CarLook };

const groupsOf = (nodes: readonly LineNode[], look: CarLook): Group[] => (nodes.length === 0 ? [] : [{ nodes, look }]);

type Placeless = Omit<Car, 'x' | 'y'>;
type Room = { room: number; isLarge: boolean; all: number; longest: number; key: string };

/** Cars by name as far as they have room; what does not fit becomes one car, and of many nodes there is one bar a group, as long as its share. */
function inRoom(groups: readonly Group[], { room, isLarge, all, longest, key }: Room): Placeless[] {
  if (isLarge)
    return groups.map(({ nodes, look }) => {
      const label = counted(nodes.length, 'node');
      const width = Math.min(room / groups.length, Math.max(textWidth(label) + 18, (nodes.length / all) * room));
      return { key: `bar ${key} ${look}`, label, title: label, look, counts: nodes.length, width };
    });
  const names = groups.flatMap(({ nodes }) => nodes.slice(0, mostCars).map(({ name }) => carLabel(name, longest)));
  const width = Math.max(46, ...names.map((name) => textWidth(name) + 14));
  const slots = Math.max(groups.length, Math.min(mostCars, Math.floor((room + gap) / (width + gap))));
  return groups.flatMap(({ nodes, look }): Placeless[] => {
    const share = groups.length === 1 ? slots : Math.max(1, Math.floor((slots * nodes.length) / totalOf(groups)));
    const named = nodes.length <= share ? nodes : nodes.slice(0, share - 1);
    const rest = nodes.length - named.length;
    const cars = named.map(
      ({ name }): Placeless => ({
        key: `node ${name}`,
        label: carLabel(name, longest),
        title: name,
        look,
        counts: 1,
        width,
      }),
    );
    const label = named.length === 0 ? counted(rest, 'node') : `${thousands(rest)} more`;
    return rest === 0
      ? cars
      : [
          ...cars,
          {
            key: `group ${key} ${look}`,
            label,
            title: label,
            look,
            counts: rest,
            width: Math.max(width, textWidth(label) + 14),
          },
        ];
  });
}

const totalOf = (groups: readonly Group[]) => groups.reduce((sum, { nodes }) => sum + nodes.length, 0);

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
