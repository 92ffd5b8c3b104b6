import type { FileStanding } from '#lib/spec/index.ts';
import type { Cache } from './cache/cache.ts';
import { checksumOf } from './checksums.ts';
import { type ReleaseId, recordedChecksum } from './recorded-checksums.ts';

/** The published checksum of a file; null where none is known: of files of Calico alone, and not of all. */
export function pinnedChecksum({ product, version }: ReleaseId, file: string): string | null {
  return product === 'Calico' ? checksumOf(version, file) : null;
}

/** What a file of a release must be: as published, else as it was first used on this machine. Null where it was not used yet. */
export async function knownChecksum(cache: Cache, release: ReleaseId, file: string): Promise<string | null> {
  return pinnedChecksum(release, file) ?? (await recordedChecksum(cache, release, file));
}

/** How a file compares with the published one. What was recorded here is not published, so it verifies nothing. */
export function standingOf(release: ReleaseId, { file, sha256 }: { file: string; sha256: string }): FileStanding {
  const pinned = pinnedChecksum(release, file);
  if (pinned === null) return 'unpinned';
  return pinned === sha256 ? 'published' : 'changed';
}
