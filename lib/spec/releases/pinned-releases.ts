import { parseRelease } from './versions.ts';

/**
 * Releases with pinned checksums (`lib/release/checksums.json`, which is too large for a browser): the last patch of each minor release; all patches before it are
 * pinned too. If a row is outdated, `scripts/release-checksums.ts` reports it and a test fails.
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

/** Whether this release of Calico has pinned checksums. Only such releases are proposed. */
export function isPinned(version: string): boolean {
  const numbers = parseRelease(version);
  if (numbers?.length !== 3) return false;
  const [major, minor, patch = 0] = numbers;
  const line = `v${major}.${minor}`;
  return (
    Object.hasOwn(lastPinnedPatch, line) && patch <= (lastPinnedPatch[line] ?? -1) && version === `${line}.${patch}`
  );
}
