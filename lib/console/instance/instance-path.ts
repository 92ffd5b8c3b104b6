import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { FolderRefused } from '#lib/folders/index.ts';

/** sun_path has 104 bytes on macOS and 108 on Linux, including the final NUL. */
const longestPathBytes = 103;

/** A path of a socket that is valid until `close`. */
export type SocketPath = { readonly path: string; close(): Promise<void> };

/**
 * The path of `console.sock` in the state folder, where the console listens for this machine's command line. If it is too long for a socket, the folder is
 * opened and named by its descriptor (`/proc/self/fd`, Linux), so that the socket is always in the folder. Rejects with a FolderRefused if that fails.
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

/** Connects to the console that runs with this state folder. */
export async function dialConsole(folder: string): Promise<Socket> {
  const { path, close } = await socketPath(folder);
  return connect(path).once('close', () => void close());
}

/** Removes the socket of a dead process. Call it only with the lock held. */
export async function removeSocket(folder: string): Promise<void> {
  await rm(join(folder, 'console.sock'), { force: true });
}
