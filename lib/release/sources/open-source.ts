import { stat } from 'node:fs/promises';
import type { Variant } from '#lib/spec/index.ts';
import type { CacheOptions } from '../cache/cache.ts';
import { codeOf, diskError } from '../cache/kept-files.ts';
import type { TimeLimits } from '../limits.ts';
import type { Progress } from '../progress.ts';
import { ReleaseError } from '../release-error.ts';
import { addressSource, cachedSource } from './address-source.ts';
import { bundleSource } from './bundle-source.ts';
import type { Fetch } from './fetch.ts';
import { folderSource } from './folder-source.ts';
import type { ReleaseSource } from './release-source.ts';
import { publicAddress, sourceAddress } from './source-address.ts';

export type ReleaseOptions = CacheOptions & {
  /** For tests; what is dialled without one honours the proxy variables. */
  readonly fetch?: Fetch;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** For tests. */
  readonly patience?: TimeLimits;
};

export type WantedSource = {
  readonly version: string;
  /** Where it is known beforehand: somebody's own custom resources say it. */
  readonly product?: Variant | undefined;
  /** An address, a folder, a `release-<v>.tgz` or an OpenShift bundle; without one SIGNALBOX_CALICO_DIR, else the public address. */
  readonly source?: string | undefined;
  /** Nothing is dialled: an address stands for what was downloaded from it before. */
  readonly airGapped?: boolean | undefined;
};

const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Where the files of a release come from. @throws ReleaseError */
export async function openSource(wanted: WantedSource, options: ReleaseOptions): Promise<ReleaseSource> {
  const { env = process.env } = options;
  const { version, product, source, airGapped } = wanted;
  if (source === undefined) {
    const folder = env.SIGNALBOX_CALICO_DIR;
    if (folder) return folderSource(folder, version, 'SIGNALBOX_CALICO_DIR', options.signal);
  }
  if (source !== undefined && !scheme.test(source)) return localSource(source, version, options);
  const base = source === undefined ? publicAddress : sourceAddress(source, version, env);
  return airGapped
    ? cachedSource(base, { version, product }, options)
    : addressSource(base, { version, product }, options);
}

async function localSource(path: string, version: string, options: ReleaseOptions): Promise<ReleaseSource> {
  const found = await stat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw diskError(path, 'read', error);
  });
  if (found?.isDirectory()) return folderSource(path, version, 'The source', options.signal);
  if (found?.isFile()) return bundleSource(path, version, options);
  throw new ReleaseError(
    'release.source',
    found === null
      ? `The source ${path} is not there. It is a folder, a release-${version}.tgz, OpenShift’s ocp.tgz, or an address that begins with https://.`
      : `The source ${path} is neither a folder nor a file.`,
  );
}
