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

/** A car without a position. */
export type UnplacedCar = Omit<Car, 'x' | 'y'>;

/** Measures of a drawing's cars. `longest`: most characters of a name; `width`: of a car with a name; `padding`: beside a group's words. */
export type CarMeasures = { longest: number; width: number; padding: number };

/** With more nodes, a track shows a bar as long as its share instead of cars with names. */
export const mostByName = 40;

const barPadding = 18;

/** At most `most` cars with names; the others become one car, which never is a single node. `group`: the drawing's group. */
export function namedCars(
  nodes: readonly { readonly name: string }[],
  most: number,
  { look, group }: { look: CarLook; group: string },
  { longest, width, padding }: CarMeasures,
): UnplacedCar[] {
  const named = nodes.length <= most ? nodes : nodes.slice(0, most - 1);
  const rest = nodes.length - named.length;
  const cars: UnplacedCar[] = named.map(({ name }) => ({
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

/** A bar as long as the group's share of all nodes, at least as long as its words. */
export function barOf(
  { length }: readonly unknown[],
  { look, group }: { look: CarLook; group: string },
  { all, room, most }: { all: number; room: number; most: number },
): UnplacedCar {
  const label = counted(length, 'node');
  const width = Math.min(most, Math.max(textWidth(label) + barPadding, (length / all) * room));
  return { key: `bar ${group}`, label, title: label, look, counts: length, width };
}

export function fromLeft(
  cars: readonly UnplacedCar[],
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
  cars: readonly UnplacedCar[],
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
