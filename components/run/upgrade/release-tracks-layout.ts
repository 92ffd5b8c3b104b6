import { carLabel, textWidth } from '#components/track/car-label.ts';
import {
  barOf,
  type Car,
  type CarLook,
  fromLeft,
  fromRight,
  mostByName,
  namedCars,
  type UnplacedCar,
} from '#components/track/cars.ts';
import { counted, thousands } from '#lib/base/words.ts';
import { type LineNode, type ReleaseLines, settledNodes } from './release-lines.ts';

/** `crossing`: where the connection to the next line starts; null for the last. `isLeft`: no node is there, and none will come again. */
export type DrawnLine = {
  version: string;
  sub: string;
  y: number;
  from: number;
  to: number;
  crossing: number | null;
  isLeft: boolean;
  /** The station over the line. */
  station: { from: number; to: number; words: string } | null;
};

export type ReleaseTracks = { width: number; height: number; lines: readonly DrawnLine[]; cars: readonly Car[] };

export type ReleaseFrame = { width: number; labelsAt: 'side' | 'outside'; pitchY: number; movingShown: number };

export const releaseFrames = {
  narrow: { width: 328, labelsAt: 'outside', pitchY: 96, movingShown: 1 },
  middle: { width: 640, labelsAt: 'side', pitchY: 84, movingShown: 2 },
  wide: { width: 1120, labelsAt: 'side', pitchY: 84, movingShown: 3 },
  broad: { width: 1440, labelsAt: 'side', pitchY: 84, movingShown: 3 },
  broadest: { width: 1780, labelsAt: 'side', pitchY: 84, movingShown: 3 },
} as const satisfies Record<string, ReleaseFrame>;

const mostCars = 12;
const gap = 6;
const edge = 16;
/** Half of a crossing's length along the lines. */
export const reach = 40;

/**
 * One line per release, the oldest on top. Nodes wait at the left of the first, cross between lines, and gather at the right end of the last. Each crossing is
 * further right than the one before, like a staircase. Pure.
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
    const isLeft = !isLast && all > 0 && settledNodes(line) + line.moving.length === 0 && isBehind(lines, index);
    const end = isLast ? to : Math.min(to, crossingAt(index) + reach + 34);
    return {
      version: line.version,
      sub: subOf(line, isLeft, isSide ? 'long' : 'short'),
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
    // If no node will come, the crossing's joint needs no room.
    const isJoined = lines.slice(0, index).some((other) => settledNodes(other) + other.moving.length > 0);
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
    const stand = index === legs ? fromRight(fitted, { right, y, gap }) : fromLeft(fitted, { left, y, gap });
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
      ...fromLeft(moving, {
        left: Math.max(from, Math.min(middle - wide / 2, to - wide)),
        y: y + frame.pitchY / 2,
        gap,
      }),
    ];
  });
  const height = top + legs * frame.pitchY + (unknown.length > 0 ? 62 : 34);
  const apart = inRoom(groupsOf(unknown, 'unknown'), { room: to - from, isLarge, all, longest, key: 'unknown' });
  return {
    width: frame.width,
    height,
    lines: drawn,
    cars: [...cars, ...fromLeft(apart, { left: from + 8, y: height - 18, gap })].sort((a, b) =>
      a.key < b.key ? -1 : 1,
    ),
  };
}

const isBehind = (lines: ReleaseLines['lines'], index: number) =>
  lines.slice(index + 1).some((line) => settledNodes(line) > 0 || line.moving.length > 0);

/** The text below a release. `short`: fits above the rails, beside a crossing at the right. */
function subOf(line: ReleaseLines['lines'][number], isLeft: boolean, how: 'long' | 'short'): string {
  const { role, waiting, proven, refused } = line;
  const many = (count: number) => (how === 'long' ? counted(count, 'node') : thousands(count));
  const phrases = [
    waiting.length === 0
      ? ''
      : `${many(waiting.length)} ${role === 'to' ? 'not proven' : waiting.length === 1 ? 'waits' : 'wait'}`,
    proven.length === 0 ? '' : `${many(proven.length)} proven`,
    refused.length === 0 ? '' : `${refused.length} refused`,
  ].filter((part) => part !== '');
  const words = phrases.length > 0 ? phrases.join(', ') : isLeft ? 'left' : role === 'from' ? '' : 'ahead';
  return role === 'hop' ? ['hop', words].filter((part) => part !== '').join(' · ') : words;
}

type Group = { nodes: readonly LineNode[]; look: CarLook };

const groupsOf = (nodes: readonly LineNode[], look: CarLook): Group[] => (nodes.length === 0 ? [] : [{ nodes, look }]);

type Room = { room: number; isLarge: boolean; all: number; longest: number; key: string };

/** Cars with names as far as they fit; the others become one car. With many nodes, one bar per group, as long as its share. */
function inRoom(groups: readonly Group[], { room, isLarge, all, longest, key }: Room): UnplacedCar[] {
  if (isLarge)
    return groups.map(({ nodes, look }) =>
      barOf(nodes, { look, group: `${key} ${look}` }, { all, room, most: room / groups.length }),
    );
  const names = groups.flatMap(({ nodes }) => nodes.slice(0, mostCars).map(({ name }) => carLabel(name, longest)));
  const width = Math.max(46, ...names.map((name) => textWidth(name) + 14));
  const slots = Math.max(groups.length, Math.min(mostCars, Math.floor((room + gap) / (width + gap))));
  return groups.flatMap(({ nodes, look }): UnplacedCar[] => {
    const share = groups.length === 1 ? slots : Math.max(1, Math.floor((slots * nodes.length) / totalOf(groups)));
    return namedCars(nodes, share, { look, group: `${key} ${look}` }, { longest, width, padding: 14 });
  });
}

const totalOf = (groups: readonly Group[]) => groups.reduce((sum, { nodes }) => sum + nodes.length, 0);
