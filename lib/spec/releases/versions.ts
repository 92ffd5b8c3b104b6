import { remembered } from '../objects/remembered.ts';

/**
 * Release numbers as Calico, its operator and distributions write them: `v3.31.4`, `1.40.7`, `24.04`, `8.10`.
 * Compared number by number; `null` if the text is no release number, because such text must never pass a gate.
 */
export type Release = readonly number[];

const releaseShape = /^v?(\d{1,9}(?:\.\d{1,9}){0,4})(?=$|[-+~ ])/;

export const parseRelease = remembered((text): Release | null => {
  const numbers = releaseShape.exec(text.trim())?.[1];
  return numbers === undefined ? null : numbers.split('.').map(Number);
});

/** Negative, zero or positive, as for `sort`. Missing parts count as 0: `8` is `8.0`. */
export function compareNumbers(left: readonly number[], right: readonly number[]): number {
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Whether `text` is `floor` or newer. `undecided` if it is no release number or too short to decide: CentOS 8 reports `8`, which may be before or after 8.2.
 */
export function releaseAtLeast(text: string, floor: string): 'yes' | 'no' | 'undecided' {
  const release = parseRelease(text);
  const wanted = parseRelease(floor);
  if (release === null || wanted === null) return 'undecided';
  const shared = compareNumbers(release, wanted.slice(0, release.length));
  if (release.length < wanted.length && shared === 0) return 'undecided';
  return compareNumbers(release, wanted) >= 0 ? 'yes' : 'no';
}
