import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Variant, variantOf } from '#lib/spec/index.ts';
import type { Cache } from './cache/cache.ts';
import { ifPossible, keep, readFileOrNull } from './cache/kept-files.ts';
import { parseManifest } from './manifest/parse-manifest.ts';
import { readOcpArchive } from './sources/ocp-archive.ts';

/** The file of a release that shows the product: its custom resources, on OpenShift in the bundle. */
export type TellingFile = 'custom-resources.yaml' | 'ocp.tgz';

/** @throws ReleaseError `release.invalid` */
export async function productOf(
  file: TellingFile,
  version: string,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<Variant> {
  const where = `${file} of ${version}`;
  const parts =
    file === 'ocp.tgz'
      ? (await readOcpArchive(where, bytes, signal)).map((one) => one.bytes).filter(namesInstallation)
      : [bytes];
  const objects = (await Promise.all(parts.map((one) => parseManifest(where, one, signal)))).flat();
  return variantOf({ manifests: { ocp: { version, file: 'ocp', sha256: '', objects } } });
}

/** Whether a file of the bundle has the Installation; the others need not be parsed. */
const namesInstallation = (bytes: Uint8Array) =>
  /^kind: *Installation\s*$/m.test(Buffer.from(bytes).toString('latin1'));

/**
 * The product that an address served for a version before, to find cached downloads without a request. Only a shortcut: opening a release verifies its files
 * for the product that they declare.
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
