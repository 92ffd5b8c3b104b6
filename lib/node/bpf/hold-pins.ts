import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import { BpfError, rootRemedy } from './bpf-error.ts';
import { openLibrary } from './native-library.ts';

/** LOCK_EX | LOCK_NB of sys/file.h. */
const exclusiveAtOnce = 2 | 4;
/** Another process that leaves may delete the folder between its opening and the lock. */
const mostTries = 5;

/**
 * Makes this process the only one that uses the pins, by a lock on the folder itself. The kernel releases it with the process, and it holds whatever
 * the path or container by which the folder is opened. The folder must belong to this user, and nobody else may write to it.
 * @param pins created if it is missing and `make` is set
 * @returns a function that releases the lock; null if there is no folder
 * @throws BpfError `held` with a sentence that names the holder; `refused` if others can write to the folder
 */
export function holdPins(pins: string, { make }: { readonly make: boolean }): (() => void) | null {
  for (let tries = 0; tries < mostTries; tries++) {
    if (make) nullIfMissing(() => mkdirSync(pins, { recursive: true, mode: 0o700 }));
    const folder = nullIfMissing(() =>
      openSync(pins, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW),
    );
    if (folder === null) {
      if (make) continue;
      return null;
    }
    try {
      refuseForeign(pins, folder);
      lock(pins, folder);
      if (nullIfMissing(() => statSync(pins))?.ino === fstatSync(folder).ino) return () => closeSync(folder);
    } catch (error) {
      closeSync(folder);
      throw error;
    }
    closeSync(folder);
  }
  throw new BpfError(
    'refused',
    `${pins} is removed again and again while it is made. Stop what removes it, or name another folder with --pins.`,
  );
}

function refuseForeign(pins: string, folder: number): void {
  const { uid, mode } = fstatSync(folder);
  const own = process.geteuid?.() ?? 0;
  if (uid !== own && own !== 0) {
    const owner = uid === 0 ? 'root' : `user ${uid}`;
    throw new BpfError('refused', `${pins} belongs to ${owner}. Run this as ${owner}.`);
  }
  if (uid !== own)
    throw new BpfError(
      'refused',
      `${pins} belongs to user ${uid}, who could change what is pinned there. Remove it and start again.`,
    );
  if ((mode & 0o022) !== 0)
    throw new BpfError(
      'refused',
      `Others may write to ${pins} (mode ${(mode & 0o777).toString(8)}). Set its mode to 700 and start again.`,
    );
}

function lock(pins: string, folder: number): void {
  const libc = openLibrary('libc.so.6');
  if (Number(libc.bind('int flock(int fd, int operation)')(folder, exclusiveAtOnce)) === 0) return;
  throw new BpfError(
    'held',
    `${pins} is in use by ${holderOf(fstatSync(folder).ino)}. Stop that process first: only one at a time can use it.`,
  );
}

/** Finds the holder in proc_locks(5): `1: FLOCK  ADVISORY  WRITE 4711 00:1c:31337 0 EOF`. Processes of other PID namespaces are not listed. */
function holderOf(inode: number): string {
  try {
    const line = readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .find((one) => /^\d+: FLOCK /.test(one) && one.includes(`:${inode} `));
    const pid = line === undefined ? undefined : /WRITE (\d+) /.exec(line)?.[1];
    return pid === undefined ? 'another process' : `process ${pid}`;
  } catch {
    return 'another process';
  }
}

function nullIfMissing<Value>(ask: () => Value): Value | null {
  try {
    return ask();
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (['ELOOP', 'ENOTDIR'].includes(code))
      throw new BpfError('refused', `--pins must name a folder, not a file or a link: ${message}.`);
    if (['EACCES', 'EPERM'].includes(code))
      throw new BpfError('refused', `You may not use the folder of pins (${message}).${rootRemedy()}`);
    throw error;
  }
}
