import { releaseAddress } from './address.ts';
import { checksumOf } from './checksums.ts';
import { keepContent, readContent } from './content-store.ts';
import { download } from './download.ts';
import { sha256 } from './kept-files.ts';
import type { ReleaseOptions, WantedSource } from './open-source.ts';
import { ReleaseError } from './release-error.ts';
import type { ReleaseSource } from './release-source.ts';

/** The public release address. */
export function addressSource(wanted: WantedSource, options: ReleaseOptions): ReleaseSource {
  const { version } = wanted;
  const { env = process.env, fetch = globalThis.fetch } = options;
  return {
    named: releaseAddress(version, '').replace(/\/$/, ''),
    only: 'any',
    read: async (file) => {
      const checksum = checksumOf(version, file);
      if (checksum === null) return null;
      const kept = await readContent(env, checksum);
      if (kept !== null) return kept;
      const address = releaseAddress(version, file);
      const bytes = await download(address, fetch);
      const actual = sha256(bytes);
      if (actual !== checksum) {
        throw new ReleaseError(
          'release.changed',
          `${address} is not the file that was published with ${version}: its checksum is ${actual}, ${checksum} was expected. Nothing of it was used.`,
        );
      }
      await keepContent(env, bytes);
      return bytes;
    },
    readOcp: async () => null,
    remedy: (files) =>
      `Set SIGNALBOX_CALICO_DIR to a folder that holds ${files.map((file) => `${version}/${file}`).join(', ')} as published with that release.`,
  };
}
