import { randomUUID } from 'node:crypto';
import { link, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sha256Hex } from '#lib/base/sha256.ts';
import type { Variant } from '#lib/spec/index.ts';
import type { Cache } from './cache/cache.ts';
import { readContent } from './cache/content-store.ts';
import { codeOf, diskError, readFileOrNull } from './cache/kept-files.ts';
import { productOf } from './product-at.ts';
import { ReleaseError } from './release-error.ts';

/** A release of a product. Calico and Calico Enterprise number separately, and both have a v3.22.2. */
export type ReleaseId = { readonly version: string; readonly product: Variant };

const folderOf: Readonly<Record<Variant, string>> = { Calico: 'calico', TigeraSecureEnterprise: 'enterprise' };

/** The path of a file's checksum from its first use on this machine, for releases without pinned checksums. */
export function recordedPath({ folder }: Cache, { version, product }: ReleaseId, file: string): string {
  return join(folder, 'releases', 'recorded', folderOf[product], version, `${file}.sha256`);
}

/** The path of earlier versions, which did not distinguish products. */
const earlierPath = ({ folder }: Cache, version: string, file: string) =>
  join(folder, 'releases', 'recorded', version, `${file}.sha256`);

/** The recorded checksum; null if the file was not used yet. */
export async function recordedChecksum(cache: Cache, release: ReleaseId, file: string): Promise<string | null> {
  const recorded = await checksumIn(recordedPath(cache, release, file), release.version, file);
  if (recorded !== null) return recorded;
  const earlier = await checksumIn(earlierPath(cache, release.version, file), release.version, file);
  if (earlier === null) return null;
  return (await productRecordedEarlier(cache, release.version)) === release.product ? earlier : null;
}

/** Records a checksum once. Of two concurrent processes one succeeds, and both get its checksum. */
export async function recordChecksum(
  cache: Cache,
  release: ReleaseId,
  file: string,
  checksum: string,
): Promise<string> {
  const known = await recordedChecksum(cache, release, file);
  if (known !== null) return known;
  const path = recordedPath(cache, release, file);
  const draft = `${path}.${randomUUID()}.new`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(draft, `${checksum}\n`, { flush: true });
    // Unlike a rename, a link never replaces an existing file.
    await link(draft, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw diskError(path, 'written', error);
  } finally {
    await rm(draft, { force: true });
  }
  return (await recordedChecksum(cache, release, file)) ?? checksum;
}

async function checksumIn(path: string, version: string, file: string): Promise<string | null> {
  const text = (await readFileOrNull(path))?.toString('latin1').trim();
  if (text === undefined) return null;
  if (sha256Hex.test(text)) return text;
  throw new ReleaseError(
    'release.disk',
    `${path} should hold the checksum of ${file} of ${version} as it was first used, and holds something else. Remove it to record the file again.`,
  );
}

/** The product from the cached custom resources; without them Calico, whose files are public. */
async function productRecordedEarlier(cache: Cache, version: string): Promise<Variant> {
  const file = 'custom-resources.yaml';
  const checksum = await checksumIn(earlierPath(cache, version, file), version, file);
  const bytes = checksum === null ? null : await readContent(cache, checksum);
  return bytes === null ? 'Calico' : productOf(file, version, bytes, new AbortController().signal);
}
