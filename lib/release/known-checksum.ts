import type { FileStanding } from '#lib/spec/index.ts';
import type { Cache } from './cache/cache.ts';
import { checksumOf } from './checksums.ts';
import { type ReleaseId, recordedChecksum } from './recorded-checksums.ts';

/** The published checksum of a file; null if unknown. Known for files of Calico only, and not for all. */
export function pinnedChecksum({ product, version }: ReleaseId, file: string): string | null {
  return product === 'Calico' ? checksumOf(version, file) : null;
}

/** The checksum that a file must have: the published one, or else that of its first use on this machine. Null: not used yet. */
export async function knownChecksum(cache: Cache, release: ReleaseId, file: string): Promise<string | null> {
  return pinnedChecksum(release, file) ?? (await recordedChecksum(cache, release, file));
}

/** How a file compares with the published one. Checksums recorded on this machine do not count. */
export function standingOf(release: ReleaseId, { file, sha256 }: { file: string; sha256: string }): FileStanding {
  const pinned = pinnedChecksum(release, file);
  if (pinned === null) return 'unpinned';
  return pinned === sha256 ? 'published' : 'changed';
}
