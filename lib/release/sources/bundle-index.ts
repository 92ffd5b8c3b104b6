import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256Hex } from '#lib/base/sha256.ts';
import type { Cache } from '../cache/cache.ts';
import { keepContent, readContent } from '../cache/content-store.ts';
import { diskError, ifPossible, sha256 } from '../cache/kept-files.ts';
import { keepSealed, readSealed } from '../cache/sealed-file.ts';

type Files = ReadonlyMap<string, Uint8Array>;

/** Paths of a bundle's manifests, each with the checksum under which it is cached. */
const indexSchema = z.array(z.tuple([z.string().min(1), z.string().regex(sha256Hex)]));

/** Identifies a file without reading it; writing to or replacing the file changes it. */
export async function stampOf(path: string): Promise<string> {
  const file = await stat(path, { bigint: true }).catch((error: unknown) => {
    throw diskError(path, 'read', error);
  });
  return [file.dev, file.ino, file.size, file.mtimeNs, file.ctimeNs].join(' ');
}

/**
 * The cached manifests of a bundle that was read before; a bundle with its images has some two gigabytes, and manifests may be anywhere in it. Null if one is
 * missing or damaged, or this installation did not write the index.
 */
export async function readIndexed(cache: Cache, stamp: string): Promise<Files | null> {
  const paths = parsed(await readSealed(cache, indexPath(cache, stamp)));
  if (paths === null) return null;
  const files = new Map<string, Uint8Array>();
  for (const [path, checksum] of paths) {
    const bytes = await readContent(cache, checksum);
    if (bytes === null) return null;
    files.set(path, bytes);
  }
  return files;
}

/** Caches the manifests of the bundle with this stamp, if possible. */
export async function keepIndexed(cache: Cache, stamp: string, files: Files): Promise<void> {
  await ifPossible(async () => {
    const index: z.input<typeof indexSchema> = [];
    for (const [path, bytes] of files) index.push([path, await keepContent(cache, bytes)]);
    await keepSealed(cache, indexPath(cache, stamp), Buffer.from(JSON.stringify(index)));
  });
}

function parsed(bytes: Buffer | null): z.output<typeof indexSchema> | null {
  try {
    return bytes && indexSchema.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    // Truncated, or of another version: the bundle is read again.
    return null;
  }
}

const indexPath = ({ folder }: Cache, stamp: string) =>
  join(folder, 'releases', 'bundles', `${sha256(Buffer.from(stamp))}.json`);
