import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Cache } from '../cache/cache.ts';
import { keepContent, readContent } from '../cache/content-store.ts';
import { diskError, ifPossible, sha256 } from '../cache/kept-files.ts';
import { keepSealed, readSealed } from '../cache/sealed-file.ts';

type Files = ReadonlyMap<string, Uint8Array>;

/** Manifests of a bundle by their path in it, each by the checksum under which it is kept. */
const indexSchema = z.array(z.tuple([z.string().min(1), z.string().regex(/^[0-9a-f]{64}$/)]));

/** Which file it is, as far as can be told without reading it: whatever writes to a file or takes its place changes one of these. */
export async function stampOf(path: string): Promise<string> {
  const file = await stat(path, { bigint: true }).catch((error: unknown) => {
    throw diskError(path, 'read', error);
  });
  return [file.dev, file.ino, file.size, file.mtimeNs, file.ctimeNs].join(' ');
}

/**
 * The manifests of a bundle that was read before: one with its images has some two gigabytes, and its manifests lie anywhere in it. Null where
 * anything of them is not here any more, or not whole, or not written by this installation: the index says which file is which.
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

/** Keeps what was read of the bundle with this stamp, where files can be kept at all. */
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
    // Cut short, or of another version: the bundle says it again.
    return null;
  }
}

const indexPath = ({ folder }: Cache, stamp: string) =>
  join(folder, 'releases', 'bundles', `${sha256(Buffer.from(stamp))}.json`);
