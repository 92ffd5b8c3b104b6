import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Variant, variantOf } from '#lib/spec/index.ts';
import type { Cache } from './cache/cache.ts';
import { ifPossible, keep, readFileOrNull } from './cache/kept-files.ts';
import { parseManifest } from './manifest/parse-manifest.ts';
import { readOcpArchive } from './sources/ocp-archive.ts';

/** The file of a release that says which product it is: its custom resources, which on OpenShift lie in the bundle. */
export type TellingFile = 'custom-resources.yaml' | 'ocp.tgz';

/** @throws ReleaseError `release.invalid` */
export async function productOf(
  file: TellingFile,
  version: string,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<Variant> {
  const where = `${file} of ${version}`;
  const telling =
    file === 'ocp.tgz'
      ? (await readOcpArchive(where, bytes, signal)).map((one) => one.bytes).filter(namesInstallation)
      : [bytes];
  const objects = (await Promise.all(telling.map((one) => parseManifest(where, one, signal)))).flat();
  return variantOf({ manifests: { ocp: { version, file: 'ocp', sha256: '', objects } } });
}

/** The bundle has some thirty files, and one of them is of interest. */
const namesInstallation = (bytes: Uint8Array) =>
  /^kind: *Installation\s*$/m.test(Buffer.from(bytes).toString('latin1'));

/**
 * Which product an address served for a version before: a shortcut, so that what was downloaded is found again without asking. Nothing rests on it:
 * whoever opens a release holds its files against the product that they say they are.
 */
export async function productServed(cache: Cache, base: string, version: string): Promise<Variant | null> {
  const text = (await readFileOrNull(pathOf(cache, base, version)))?.toString('latin1').trim();
  return text === 'Calico' || text === 'TigeraSecureEnterprise' ? text : null;
}

export async function keepProductServed(cache: Cache, base: string, version: string, product: Variant): Promise<void> {
  await ifPossible(() => keep(pathOf(cache, base, version), Buffer.from(`${product}\n`)));
}

const pathOf = ({ folder }: Cache, base: string, version: string) =>
  join(folder, 'releases', 'products', createHash('sha256').update(`${base}\n${version}`).digest('hex'));
