import { type ReleaseContents, variantOf } from '#lib/spec/index.ts';
import { cacheOf } from './cache/cache.ts';
import { pinnedChecksum } from './known-checksum.ts';
import { recordedChecksum } from './recorded-checksums.ts';

export type VerifiedFile = {
  readonly file: string;
  readonly sha256: string;
  readonly objects: number;
  /**
   * `pinned`: the published file. `recorded`: the file that was first used on this machine. `other`: neither; `expected` is the right checksum.
   * `unknown`: there is no checksum to compare with.
   */
  readonly standing: 'pinned' | 'recorded' | 'other' | 'unknown';
  readonly expected: string | null;
};

/** Each file of a release that was opened, held against what is known of it. That it is whole was seen to when it was opened. */
export async function verifyRelease(
  { version, manifests }: ReleaseContents,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly VerifiedFile[]> {
  const release = { version, product: variantOf({ manifests }) };
  const cache = cacheOf({ env });
  return Promise.all(
    Object.values(manifests).map(async ({ file, sha256, objects }) => {
      const pinned = pinnedChecksum(release, file);
      const expected = pinned ?? (await recordedChecksum(cache, release, file));
      const known = pinned === null ? 'recorded' : 'pinned';
      const standing = expected === null ? 'unknown' : expected === sha256 ? known : 'other';
      return { file, sha256, objects: objects.length, standing, expected } as const;
    }),
  );
}
