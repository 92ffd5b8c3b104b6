import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { isReadable, reasonOf } from './dump-files.ts';
import { InputError } from './input-error.ts';

/** Unpacked, all together: five times the largest file that is parsed. A hundred bytes can unpack to a gigabyte. */
const mostBytes = 2 * 1024 ** 3;

export function isArchive(path: string): boolean {
  return /\.(tgz|tar\.gz)$/i.test(path);
}

/**
 * The YAML and JSON files of a gzipped tar, one after the other and each as `ARCHIVE/PATH`; nothing is unpacked to a disk. Throws an InputError that
 * names the archive, or what is in it.
 */
export async function* archivedFiles(archive: string): AsyncGenerator<{ file: string; text: string }> {
  const tar = extract();
  // Its error comes out of the loop below.
  const unpacked = pipeline(createReadStream(archive), createGunzip(), tar).catch(() => undefined);
  let bytes = 0;
  try {
    for await (const entry of tar) {
      const { name, type, size = 0 } = entry.header;
      bytes += size;
      if (bytes > mostBytes)
        throw new InputError(archive, null, `it unpacks to more than ${mostBytes / 1024 ** 2} MiB`);
      if (type !== 'file' || !isReadable(name)) {
        entry.resume();
        continue;
      }
      const pieces: Uint8Array[] = [];
      for await (const piece of entry) if (piece instanceof Uint8Array) pieces.push(piece);
      yield { file: `${archive}/${name}`, text: Buffer.concat(pieces).toString('utf8') };
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const isOfFile = code === 'EACCES' || code === 'EPERM' || code === 'EISDIR';
    throw new InputError(
      archive,
      null,
      isOfFile ? reasonOf(error as NodeJS.ErrnoException) : `it is no whole gzipped tar (${message})`,
      error,
    );
  } finally {
    tar.destroy();
    await unpacked;
  }
}
