import { calicoReleases } from './calico-releases.ts';
import { isPinned } from './pinned-releases.ts';
import { compareNumbers, parseRelease, type Release } from './versions.ts';

/** The minor release that the specification's procedure upgrades to (spec › Versioning). */
const described: Release = [3, 31];

/**
 * The release to propose for an upgrade from `running`: the newest known patch of the minor release that the specification describes, or of the running one if that
 * is the same or newer. Only releases whose files can be verified. Null if `running` is no version or nothing newer is known.
 */
export function proposedRelease(running: string): string | null {
  const from = parseRelease(running);
  if (from === null) return null;
  const line = compareNumbers(from.slice(0, 2), described) > 0 ? from.slice(0, 2) : described;
  const known = calicoReleases.flatMap(({ version }) => {
    const numbers = parseRelease(version);
    return isPinned(version) && numbers && compareNumbers(numbers.slice(0, 2), line) === 0
      ? [{ version, numbers }]
      : [];
  });
  const newest = known.toSorted((left, right) => compareNumbers(right.numbers, left.numbers))[0];
  return newest && compareNumbers(newest.numbers, from) > 0 ? newest.version : null;
}
