import { parseRelease } from './versions.ts';

/**
 * Releases whose published files are known by their checksums (`lib/release/checksums.json`, too large for a browser): of each line the last
 * patch; every patch before it is known as well. `scripts/release-checksums.ts` says when a row is behind, and a test fails.
 */
const lastPinnedPatch: Readonly<Record<string, number>> = {
  'v3.24': 6,
  'v3.25': 2,
  'v3.26': 5,
  'v3.27': 5,
  'v3.28': 5,
  'v3.29': 7,
  'v3.30': 7,
  'v3.31': 7,
  'v3.32': 1,
};

/** Whether the files of this release of Calico can be held against published checksums. Only such a release is ever proposed. */
export function isPinned(version: string): boolean {
  const numbers = parseRelease(version);
  if (numbers?.length !== 3) return false;
  const [major, minor, patch = 0] = numbers;
  const line = `v${major}.${minor}`;
  return (
    Object.hasOwn(lastPinnedPatch, line) && patch <= (lastPinnedPatch[line] ?? -1) && version === `${line}.${patch}`
  );
}
