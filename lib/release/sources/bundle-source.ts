import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Transform } from 'node:stream';
import { cacheOf } from '../cache/cache.ts';
import { diskError } from '../cache/kept-files.ts';
import { ReleaseError } from '../release-error.ts';
import { readArchive } from './archive.ts';
import { keepIndexed, readIndexed, stampOf } from './bundle-index.ts';
import { ocpFiles } from './ocp-archive.ts';
import type { MarkedRelease, ReleaseOptions, ReleaseSource } from './release-source.ts';

/** `release-v3.31.4/manifests/x.yaml`, `manifests/x.yaml`, `ocp/x.yaml`. Images and programs are skipped. */
const manifest = /^(?:release-(v[^/]+)\/)?(?:manifests\/)?(?:ocp\/)?[^/]+\.ya?ml$/;

/**
 * A `release-<v>.tgz` or an `ocp.tgz` as published. Its manifests are read once and then taken from the cache while the file is unchanged.
 *
 * @throws ReleaseError `release.source` if it is no gzipped tar, `release.invalid` if it is no bundle of this release.
 */
export async function bundleSource(
  path: string,
  { version, marker }: MarkedRelease,
  options: ReleaseOptions,
): Promise<ReleaseSource> {
  const cache = cacheOf(options);
  const stamp = await stampOf(path);
  const known = await readIndexed(cache, stamp);
  const files = known ?? (await unpacked(path, options));
  mustBeOf(version, path, files);
  const published = new Map(
    [...files].flatMap(([name, bytes]) => (/(?:^|\/)ocp\//.test(name) ? [] : [[basename(name), bytes] as const])),
  );
  const ocp = ocpFiles(files);
  if (!published.has(marker) && ocp.length === 0) {
    throw new ReleaseError(
      'release.invalid',
      `The bundle ${path} holds no manifests of a release: neither manifests/${marker} nor ocp/*.yaml is in it. It should be release-${version}.tgz or ocp.tgz as published.`,
    );
  }
  // A file that changed meanwhile may have been read inconsistently, so it is not cached.
  if (known === null && (await stampOf(path)) === stamp) await keepIndexed(cache, stamp, files);
  return {
    named: `the bundle ${path}`,
    kind: 'local',
    only: published.has(marker) ? 'any' : 'ocp',
    read: async (name) => published.get(name) ?? null,
    readOcp: async () => (ocp.length === 0 ? null : ocp),
    remedy: (names) =>
      names.includes('ocp/*.yaml')
        ? `OpenShift has a bundle of its own, ocp.tgz, beside release-${version}.tgz: name that one.`
        : `Take release-${version}.tgz as it was published.`,
  };
}

async function unpacked(
  path: string,
  { signal, onProgress }: ReleaseOptions,
): Promise<ReadonlyMap<string, Uint8Array>> {
  await mustBeGzip(path);
  const total = (await stat(path)).size;
  const file = basename(path);
  let received = 0;
  const withProgress = new Transform({
    transform(piece: Buffer, _, done) {
      received += piece.length;
      onProgress?.({ file, received, total });
      done(null, piece);
    },
  });
  const stream = createReadStream(path, { signal });
  stream.on('error', (error) => withProgress.destroy(error));
  return readArchive(`The bundle ${path}`, stream.pipe(withProgress), (name) => manifest.test(name), signal);
}

/** Throws if the bundle's paths name another release. */
function mustBeOf(version: string, path: string, files: ReadonlyMap<string, Uint8Array>): void {
  for (const name of files.keys()) {
    const other = manifest.exec(name)?.[1];
    if (other !== undefined && other !== version) {
      throw new ReleaseError(
        'release.invalid',
        `The bundle ${path} is of ${other.slice(0, 40)}, not of ${version}. Name the bundle of ${version}, or choose the release that is there.`,
      );
    }
  }
}

async function mustBeGzip(path: string): Promise<void> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw diskError(path, 'read', error);
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    if (bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b) return;
  } finally {
    await file.close();
  }
  throw new ReleaseError(
    'release.source',
    `The source ${path} is not a gzipped tar. A source is a folder, a release-<version>.tgz, OpenShift’s ocp.tgz, or an address.`,
  );
}
