import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { FolderRefused } from '#lib/folders/index.ts';

/** sun_path has 104 bytes on macOS and 108 on Linux, its end included. */
const longestPathBytes = 103;

/** A way to a socket that is open for as long as it is needed. */
export type SocketPath = { readonly path: string; close(): Promise<void> };

/**
 * `console.sock` in the state folder, where the console listens for this machine's command line. A path that is too long for a socket is
 * shortened by an open folder, which Linux names by its number: no socket lies anywhere else. Rejects with a FolderRefused where that cannot be.
 */
export async function socketPath(folder: string): Promise<SocketPath> {
  const direct = join(folder, 'console.sock');
  if (Buffer.byteLength(direct) <= longestPathBytes) return { path: direct, close: async () => {} };
  if (process.platform !== 'linux')
    throw new FolderRefused(
      `The path of the state folder ${folder} is too long for a socket in it; with console.sock it may have ${longestPathBytes} bytes. Name a shorter one with XDG_STATE_HOME.`,
    );
  const opened: FileHandle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  return { path: `/proc/self/fd/${opened.fd}/console.sock`, close: () => opened.close() };
}

/** Dials the console that runs with this state folder. */
export async function dialConsole(folder: string): Promise<Socket> {
  const { path, close } = await socketPath(folder);
  return connect(path).once('close', () => void close());
}

/** Called with the lock held: what is there already is a dead process'. */
export async function removeSocket(folder: string): Promise<void> {
  await rm(join(folder, 'console.sock'), { force: true });
}
