import { chmod, lstat, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';

/** sun_path has 104 bytes on macOS and 108 on Linux, its end included. */
const longestPathBytes = 103;
const recordOf = (folder: string) => join(folder, 'console.sock.path');

/**
 * Where the console that is starting listens for this machine's command line: `console.sock` in the state folder. Where that is too long for a
 * socket, a short folder of its own, whose path is recorded. Called with the lock held: what is there already is a dead process'.
 */
export async function claimSocketPath(folder: string): Promise<string> {
  const direct = join(folder, 'console.sock');
  await removeSocket(folder);
  if (Buffer.byteLength(direct) <= longestPathBytes) return direct;
  const short = join(await mkdtemp(join(tmpdir(), 'signalbox-')), 'console.sock');
  await writeFile(recordOf(folder), short, { mode: 0o600 });
  return short;
}

export async function removeSocket(folder: string): Promise<void> {
  await rm(join(folder, 'console.sock'), { force: true });
  const recorded = await recordedPath(folder);
  if (recorded !== null) await rm(dirname(recorded), { recursive: true, force: true });
  await rm(recordOf(folder), { force: true });
}

/** Where a running console would be listening. */
export async function socketPath(folder: string): Promise<string> {
  return (await recordedPath(folder)) ?? join(folder, 'console.sock');
}

/** Only a folder that is ours alone: everybody may write into the folder for temporary files. */
async function recordedPath(folder: string): Promise<string | null> {
  try {
    const path = (await readFile(recordOf(folder), 'utf8')).trim();
    const parent = await lstat(dirname(path));
    const isOurs = parent.isDirectory() && parent.uid === userInfo().uid && (parent.mode & 0o077) === 0;
    return isOurs && /\/signalbox-[A-Za-z0-9]+\/console\.sock$/.test(path) ? path : null;
  } catch {
    return null;
  }
}

/** A sentence about a state folder that is not private and cannot be made so. */
export class FolderRefused extends Error {
  override name = 'FolderRefused';
}

/**
 * The state folder may have been made by something else, with the rights of the day. One of somebody else's (a volume, say) may do, but not where
 * everybody may write: whoever puts a key of their own there signs in as they like.
 */
export async function makePrivate(folder: string): Promise<void> {
  const { mode, uid } = await stat(folder);
  if (uid === userInfo().uid) {
    if ((mode & 0o077) !== 0) await chmod(folder, 0o700);
    return;
  }
  if ((mode & 0o002) !== 0)
    throw new FolderRefused(
      `The state folder ${folder} belongs to another user, and everybody may write there. Name another one with XDG_STATE_HOME.`,
    );
}
