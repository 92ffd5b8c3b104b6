import { stat } from 'node:fs/promises';
import { codeOf, diskError } from '../cache/kept-files.ts';
import { ReleaseError } from '../release-error.ts';
import { addressSource, cachedSource } from './address-source.ts';
import { bundleSource } from './bundle-source.ts';
import { folderSource } from './folder-source.ts';
import type { MarkedRelease, ReleaseOptions, ReleaseSource, WantedSource } from './release-source.ts';
import { publicAddress, sourceAddress } from './source-address.ts';

const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Where the files of a release come from. @throws ReleaseError */
export async function openSource(wanted: WantedSource, options: ReleaseOptions): Promise<ReleaseSource> {
  const { env = process.env } = options;
  const { version, source, airGapped } = wanted;
  // Calico Enterprise has no manifest that installs it without an operator.
  const product = wanted.manifest === undefined ? wanted.product : 'Calico';
  const marked = { version, marker: wanted.manifest ?? 'tigera-operator.yaml' };
  if (source === undefined) {
    const folder = env.SIGNALBOX_CALICO_DIR;
    if (folder) return folderSource(folder, marked, 'SIGNALBOX_CALICO_DIR', options.signal);
  }
  if (source !== undefined && !scheme.test(source)) return localSource(source, marked, options);
  const base = source === undefined ? publicAddress : sourceAddress(source, version, env);
  return airGapped
    ? cachedSource(base, { version, product, manifest: wanted.manifest }, options)
    : addressSource(base, { version, product }, options);
}

async function localSource(path: string, marked: MarkedRelease, options: ReleaseOptions): Promise<ReleaseSource> {
  const { version } = marked;
  const found = await stat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw diskError(path, 'read', error);
  });
  if (found?.isDirectory()) return folderSource(path, marked, 'The source', options.signal);
  if (found?.isFile()) return bundleSource(path, marked, options);
  throw new ReleaseError(
    'release.source',
    found === null
      ? `The source ${path} is not there. It is a folder, a release-${version}.tgz, OpenShift’s ocp.tgz, or an address that begins with https://.`
      : `The source ${path} is neither a folder nor a file.`,
  );
}
