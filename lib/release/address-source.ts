import { cacheFolder } from './cache-folder.ts';
import { checksumOf } from './checksums.ts';
import { keepContent, readContent } from './content-store.ts';
import { download } from './download.ts';
import { proxiedFetch } from './fetch.ts';
import { sha256 } from './kept-files.ts';
import { readOcpArchive } from './ocp-archive.ts';
import type { ReleaseOptions } from './open-source.ts';
import { recordChecksum, recordedChecksum, recordedPath } from './recorded-checksums.ts';
import { ReleaseError } from './release-error.ts';
import type { ReleaseSource } from './release-source.ts';
import { fileAddress } from './source-address.ts';

/**
 * A release by its address, the public one or a mirror's. What was downloaded once is taken from the cache, and is only ever taken with its
 * checksum: the one that is pinned here, else the one of its first use on this machine.
 */
export function addressSource(base: string, version: string, options: ReleaseOptions): ReleaseSource {
  const { env = process.env, signal, onProgress } = options;
  const read = async (file: string): Promise<Uint8Array | null> => {
    const checksum = await knownChecksum(env, version, file);
    const kept = checksum === null ? null : await readContent(env, checksum);
    if (kept !== null) return kept;
    const address = fileAddress(base, version, file);
    const dialled = options.fetch ? { fetch: options.fetch, close: async () => undefined } : await proxiedFetch(env);
    try {
      const bytes = await download({
        address,
        file,
        checksum: checksumOf(version, file),
        env,
        fetch: dialled.fetch,
        signal,
        onProgress,
        patience: options.patience,
      });
      if (bytes === null) return null;
      await holdAgainstFirst(env, version, file, address, sha256(bytes));
      await keepContent(env, bytes);
      return bytes;
    } catch (error) {
      throw withRemedy(error, version, [file]);
    } finally {
      await dialled.close();
    }
  };
  return {
    named: base,
    only: 'any',
    read,
    readOcp: async () => {
      const bytes = await read('ocp.tgz');
      return bytes === null ? null : readOcpArchive(`ocp.tgz of ${version} at ${base}`, bytes, signal);
    },
    remedy: (files) => folderRemedy(version, files),
  };
}

/** What was downloaded before, and nothing else: no socket is opened, whatever was named as the source. */
export function cachedSource(base: string, version: string, options: ReleaseOptions): ReleaseSource {
  const { env = process.env, signal } = options;
  const read = async (file: string) => {
    const checksum = await knownChecksum(env, version, file);
    return checksum === null ? null : readContent(env, checksum);
  };
  return {
    named: `what was downloaded before (${cacheFolder(env)})`,
    only: 'any',
    read,
    readOcp: async () => {
      const bytes = await read('ocp.tgz');
      return bytes === null ? null : readOcpArchive(`ocp.tgz of ${version}`, bytes, signal);
    },
    remedy: (files) => {
      const addresses = files.map((file) => fileAddress(base, version, file === 'ocp/*.yaml' ? 'ocp.tgz' : file));
      return `This machine is air-gapped, so nothing is dialled. Elsewhere, \`signalbox release fetch ${version} --to DIR\` downloads all that is needed (${addresses.join(', ')}); bring DIR here and name it as the source, or in SIGNALBOX_CALICO_DIR.`;
    },
  };
}

async function knownChecksum(
  env: Readonly<Record<string, string | undefined>>,
  version: string,
  file: string,
): Promise<string | null> {
  return checksumOf(version, file) ?? (await recordedChecksum(env, version, file));
}

async function holdAgainstFirst(
  env: Readonly<Record<string, string | undefined>>,
  version: string,
  file: string,
  address: string,
  actual: string,
): Promise<void> {
  if (checksumOf(version, file) !== null) return;
  const first = await recordChecksum(env, version, file, actual);
  if (first === actual) return;
  throw new ReleaseError(
    'release.changed',
    `${address} is not the file that was first used here as ${file} of ${version}: its checksum is ${actual}, ${first} was expected. A release does not change once it is published, so find out who changed it; only then remove ${recordedPath(env, version, file)}. Nothing of it was used.`,
  );
}

/** Both ways in one sentence: who cannot reach the address can name a folder. */
function withRemedy(error: unknown, version: string, files: readonly string[]): unknown {
  if (!(error instanceof ReleaseError) || error.code !== 'release.unreachable') return error;
  return new ReleaseError(error.code, `${error.message} ${folderRemedy(version, files)}`, error.cause);
}

function folderRemedy(version: string, files: readonly string[]): string {
  return `A folder that holds ${files.map((file) => `${version}/${file}`).join(', ')} as published does as well: name it as the source, or in SIGNALBOX_CALICO_DIR.`;
}
