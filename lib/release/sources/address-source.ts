import type { Variant } from '#lib/spec/index.ts';
import { shellWordInSentence } from '#lib/text/index.ts';
import { type Cache, cacheOf } from '../cache/cache.ts';
import { keepContent, readContent } from '../cache/content-store.ts';
import { sha256 } from '../cache/kept-files.ts';
import { knownChecksum, pinnedChecksum } from '../known-checksum.ts';
import { keepProductServed, productOf, productServed, type TellingFile } from '../product-at.ts';
import { type ReleaseId, recordChecksum, recordedPath } from '../recorded-checksums.ts';
import { ReleaseError } from '../release-error.ts';
import { download, notTheKnownFile } from './download.ts';
import { proxiedFetch } from './fetch.ts';
import { readOcpArchive } from './ocp-archive.ts';
import type { ReleaseOptions, ReleaseSource, WantedSource } from './release-source.ts';
import { fileAddress, publicAddress } from './source-address.ts';

type Wanted = Pick<WantedSource, 'version' | 'product' | 'manifest'>;

/**
 * A release from an address, the public one or a mirror. Downloaded files are cached and always verified with a checksum: the pinned one, or else that of the
 * first use on this machine. A mirror may serve Calico or Calico Enterprise, which number separately; its custom resources decide, so they are read first.
 */
export function addressSource(
  base: string,
  { version, product: given }: Wanted,
  options: ReleaseOptions,
): ReleaseSource {
  const cache = cacheOf(options);
  let known = given ?? (base === publicAddress ? 'Calico' : null);
  const productBy = async (telling: TellingFile): Promise<Variant> => {
    known ??= (await productServed(cache, base, version)) ?? (await productAsked(telling));
    return known;
  };
  const productAsked = async (telling: TellingFile): Promise<Variant> => {
    const bytes = await fetchFile(base, version, telling, null, options);
    if (bytes === null) return 'Calico';
    const product = await productOf(telling, version, bytes, options.signal);
    await keepChecked(cache, { version, product }, telling, base, bytes);
    await keepProductServed(cache, base, version, product);
    return product;
  };
  const read = async (file: string): Promise<Uint8Array | null> => {
    const release = { version, product: await productBy(file === 'ocp.tgz' ? file : 'custom-resources.yaml') };
    const checksum = await knownChecksum(cache, release, file);
    const kept = checksum === null ? null : await readContent(cache, checksum);
    if (kept !== null) return kept;
    const bytes = await fetchFile(base, version, file, pinnedChecksum(release, file), options);
    if (bytes !== null) await keepChecked(cache, release, file, base, bytes);
    return bytes;
  };
  return {
    named: base,
    kind: 'address',
    only: 'any',
    read,
    readOcp: async () => {
      const bytes = await read('ocp.tgz');
      return bytes === null ? null : readOcpArchive(`ocp.tgz of ${version} at ${base}`, bytes, options.signal);
    },
    remedy: (files) => folderRemedy(version, files),
  };
}

/** Only files that were downloaded before; opens no connection. */
export function cachedSource(
  base: string,
  { version, product: given, manifest }: Wanted,
  options: ReleaseOptions,
): ReleaseSource {
  const cache = cacheOf(options);
  const keptOf = async (product: Variant, file: string) => {
    const checksum = await knownChecksum(cache, { version, product }, file);
    return checksum === null ? null : readContent(cache, checksum);
  };
  const productBy = async (telling: TellingFile): Promise<Variant> => {
    const product = given ?? (base === publicAddress ? 'Calico' : await productServed(cache, base, version));
    if (product !== null) return product;
    // An earlier version downloaded it, which did not record the product of an address.
    const isEnterprise =
      (await keptOf('Calico', telling)) === null && (await keptOf('TigeraSecureEnterprise', telling)) !== null;
    return isEnterprise ? 'TigeraSecureEnterprise' : 'Calico';
  };
  const read = async (file: string) =>
    keptOf(await productBy(file === 'ocp.tgz' ? file : 'custom-resources.yaml'), file);
  return {
    named: `what was downloaded before (${cache.folder})`,
    kind: 'address',
    only: 'any',
    read,
    readOcp: async () => {
      const bytes = await read('ocp.tgz');
      return bytes === null ? null : readOcpArchive(`ocp.tgz of ${version}`, bytes, options.signal);
    },
    remedy: (files) => {
      const addresses = files.map((file) => fileAddress(base, version, file === 'ocp/*.yaml' ? 'ocp.tgz' : file));
      return `This machine is air-gapped, so no network is used. Elsewhere, \`signalbox release fetch ${version}${manifest === undefined ? '' : ` --manifest ${shellWordInSentence(manifest)}`} --to DIR\` downloads all that is needed (${addresses.join(', ')}); bring DIR here and name it as the source, or in SIGNALBOX_CALICO_DIR.`;
    },
  };
}

/** Null if the address has no such file. */
async function fetchFile(
  base: string,
  version: string,
  file: string,
  checksum: string | null,
  options: ReleaseOptions,
): Promise<Uint8Array | null> {
  const { env = process.env, signal, onProgress, patience } = options;
  const address = fileAddress(base, version, file);
  const dialled = options.fetch ? { fetch: options.fetch, close: async () => undefined } : await proxiedFetch(env);
  try {
    const { fetch } = dialled;
    return await download({ address, file, checksum, cache: cacheOf(options), fetch, signal, onProgress, patience });
  } catch (error) {
    throw withRemedy(error, version, [file]);
  } finally {
    await dialled.close();
  }
}

/** Caches a downloaded file. Throws if it differs from the known one. */
async function keepChecked(
  cache: Cache,
  release: ReleaseId,
  file: string,
  base: string,
  bytes: Uint8Array,
): Promise<void> {
  const actual = sha256(bytes);
  const pinned = pinnedChecksum(release, file);
  const expected = pinned ?? (await recordChecksum(cache, release, file, actual));
  const { version } = release;
  const address = fileAddress(base, version, file);
  if (actual !== expected)
    throw pinned === null
      ? new ReleaseError(
          'release.changed',
          `${address} is not the file that was first used here as ${file} of ${version}: its checksum is ${actual}, ${expected} was expected. A release does not change once it is published, so find out who changed it; only then remove ${recordedPath(cache, release, file)}. Nothing of it was used.`,
        )
      : notTheKnownFile(address, actual, expected);
  await keepContent(cache, bytes);
}

/** An error with the remedy added: without access to the address, name a folder. */
function withRemedy(error: unknown, version: string, files: readonly string[]): unknown {
  if (!(error instanceof ReleaseError) || error.code !== 'release.unreachable') return error;
  return new ReleaseError(error.code, `${error.message} ${folderRemedy(version, files)}`, error.cause);
}

function folderRemedy(version: string, files: readonly string[]): string {
  return `A folder that holds ${files.map((file) => `${version}/${file}`).join(', ')} as published does as well: name it as the source, or in SIGNALBOX_CALICO_DIR.`;
}
