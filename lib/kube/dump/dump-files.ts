import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from './input-error.ts';

/** Whether a file in a folder or an archive is read. macOS puts files `._NAME` beside NAME, which are not. */
export const isReadable = (name: string) => /(^|\/)(?!\._)[^/]*\.(ya?ml|json)$/i.test(name);

/**
 * The files of a dump, in a stable order. A named file is read whatever its name is; in folders and their subfolders (`kubectl cluster-info dump`) only
 * *.yaml, *.yml and *.json. Links to folders are not followed.
 */
export async function dumpFiles(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
      throw new InputError(
        path,
        null,
        error.code === 'ENOENT' ? 'there is no such file or folder' : reasonOf(error),
        error,
      );
    });
    if (info.isDirectory()) found.push(...(await filesBelow(path)));
    else found.push(path);
  }
  return found;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(
    (error: NodeJS.ErrnoException) => {
      throw new InputError(folder, null, reasonOf(error), error);
    },
  );
  return entries
    .filter((entry) => !entry.isDirectory() && isReadable(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Why a file or folder cannot be read, as a phrase after its name, from the error of node:fs. */
export function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.code === 'EACCES' || error.code === 'EPERM') return 'it may not be read';
  if (error.code === 'EISDIR') return 'it is a folder';
  return `it cannot be read (${error.code ?? error.message})`;
}

/** Whether a text was UTF-16: a decoder of UTF-8 turns its byte order mark into two replacement characters. */
export const isOtherThanUtf8 = (text: string) => text.startsWith('\uFFFD\uFFFD');

/** The text of a file in UTF-8, or in UTF-16 with a byte order mark, as Windows PowerShell writes with `>`. */
export function textOf(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2);
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)))
      .swap16()
      .toString('utf16le');
  return bytes.toString('utf8');
}
