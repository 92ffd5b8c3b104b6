import { counted, thousands } from '#lib/base/words.ts';
import { carLabel, textWidth } from './car-label.ts';

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

/** A car that has not got its place yet. */
export type Placeless = Omit<Car, 'x' | 'y'>;

/** What cars of one drawing have in common. `longest`: characters of a name; `width`: of a car with a name; `padding`: beside the words of a group. */
export type CarMeasures = { longest: number; width: number; padding: number };

/** Above this number a track shows a bar as long as its share instead of cars by name. */
export const mostByName = 40;

const barPadding = 18;

/** At most `most` cars by name; what does not fit becomes one car, which never stands for one node alone. `group`: which of the drawing's groups it is. */
export function namedCars(
  nodes: readonly { readonly name: string }[],
  most: number,
  { look, group }: { look: CarLook; group: string },
  { longest, width, padding }: CarMeasures,
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
    const label = named.length === 0 ? counted(rest, 'node') : `${thousands(rest)} more`;
    const key = `group ${group}`;
    cars.push({ key, label, title: label, look, counts: rest, width: Math.max(width, textWidth(label) + padding) });
  }
  return cars;
}

/** As long as its share of all nodes, and long enough for its words. */
export function barOf(
  { length }: readonly unknown[],
  { look, group }: { look: CarLook; group: string },
  { all, room, most }: { all: number; room: number; most: number },
): Placeless {
  const label = counted(length, 'node');
  const width = Math.min(most, Math.max(textWidth(label) + barPadding, (length / all) * room));
  return { key: `bar ${group}`, label, title: label, look, counts: length, width };
}

export function fromLeft(
  cars: readonly Placeless[],
  { left, y, gap }: { left: number; y: number; gap: number },
): Car[] {
  let x = left;
  return cars.map((car) => {
    const placed = { ...car, x, y };
    x += car.width + gap;
    return placed;
  });
}

export function fromRight(
  cars: readonly Placeless[],
  { right, y, gap }: { right: number; y: number; gap: number },
): Car[] {
  let x = right;
  return cars.map((car) => {
    x -= car.width;
    const placed = { ...car, x, y };
    x -= gap;
    return placed;
  });
}
