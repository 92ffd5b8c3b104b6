import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { isReadable, reasonOf, textOf } from './dump-files.ts';
import { InputError } from './input-error.ts';
import { refuseTooLarge } from './parse-documents.ts';

/** Bytes that an archive may unpack to: five times the largest file that is parsed. Without a limit, a hundred bytes could unpack to a gigabyte. */
const mostBytes = 2 * 1024 ** 3;
const mostFiles = 50_000;
/** Bytes of a global header, which is copied for every file after it. `git archive` writes some fifty. */
const longestGlobalHeader = 1024;

/** Whether a path names a gzipped tar, by its ending; the file itself is not read. */
export function isArchive(path: string): boolean {
  return /\.(tgz|tar\.gz)$/i.test(path);
}

/**
 * The YAML and JSON files of a gzipped tar, one after the other, each named `ARCHIVE/PATH`. Nothing is written to a disk. Throws an InputError that names
 * the archive or the file in it.
 */
export async function* archivedFiles(archive: string): AsyncGenerator<{ file: string; text: string }> {
  const tar = extract();
  // The loop below throws its error.
  const unpacked = pipeline(createReadStream(archive), createGunzip(), withinLimits(archive), tar).catch(
    () => undefined,
  );
  let files = 0;
  try {
    for await (const entry of tar) {
      const { name, type, size = 0 } = entry.header;
      if (++files > mostFiles) throw new InputError(archive, null, `it holds more than ${mostFiles} files`);
      if (type !== 'file' || !isReadable(name)) {
        entry.resume();
        continue;
      }
      refuseTooLarge(`${archive}/${name}`, size);
      const pieces: Uint8Array[] = [];
      for await (const piece of entry) if (piece instanceof Uint8Array) pieces.push(piece);
      yield { file: `${archive}/${name}`, text: textOf(Buffer.concat(pieces)) };
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const isOfFile = code === 'EACCES' || code === 'EPERM' || code === 'EISDIR';
    throw new InputError(
      archive,
      null,
      isOfFile ? reasonOf(error as NodeJS.ErrnoException) : `it is not a complete gzipped tar (${message})`,
      error,
    );
  } finally {
    tar.destroy();
    await unpacked;
  }
}

/** Passes data on within the limits. Headers are blocks of 512 bytes; no YAML or JSON text looks like one. */
function withinLimits(archive: string) {
  return async function* (unpacked: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0;
    let rest: Buffer = Buffer.alloc(0);
    for await (const piece of unpacked) {
      bytes += piece.length;
      if (bytes > mostBytes)
        throw new InputError(archive, null, `it unpacks to more than ${mostBytes / 1024 ** 2} MiB`);
      const blocks = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
      let at = 0;
      for (; at + 512 <= blocks.length; at += 512)
        if (isLongGlobalHeader(blocks.subarray(at, at + 512)))
          throw new InputError(
            archive,
            null,
            'it has a global header, which a dump does not have. Unpack it and name the folder',
          );
      rest = blocks.subarray(at);
      yield piece;
    }
  };
}

/** POSIX.1-2024 › pax › ustar Interchange Format: type at 156, size at 124 in octal digits, magic at 257. */
function isLongGlobalHeader(block: Buffer): boolean {
  if (block[156] !== 0x67 || block.toString('latin1', 257, 262) !== 'ustar') return false;
  return !(Number.parseInt(block.toString('latin1', 124, 136), 8) <= longestGlobalHeader);
}
