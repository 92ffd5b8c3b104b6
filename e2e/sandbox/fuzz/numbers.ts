export type Next = () => number;

/** Pseudo-random numbers: the same for the same seed. A linear congruential generator, whose low bits are dropped because they repeat early. */
export function numbersFrom(seed: number): Next {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}

export function pick<T>(from: readonly T[], next: Next): T {
  const one = from[next() % from.length];
  if (one === undefined) throw new Error('nothing to choose from');
  return one;
}

/** So many of the items, in random order. */
export function sampleOf<T>(from: readonly T[], count: number, next: Next): T[] {
  const rest = [...from];
  return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(next() % rest.length, 1)).flat();
}
