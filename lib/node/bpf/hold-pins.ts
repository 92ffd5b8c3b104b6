import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import { BpfError } from './bpf-error.ts';
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
    if (make) mkdirSync(pins, { recursive: true, mode: 0o700 });
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
  throw new BpfError('refused', `${pins} goes as often as it is made.`);
}

function refuseForeign(pins: string, folder: number): void {
  const { uid, mode } = fstatSync(folder);
  const own = process.geteuid?.() ?? 0;
  if (uid !== own)
    throw new BpfError('refused', `${pins} belongs to user ${uid}, who could change what is pinned there; remove it.`);
  if ((mode & 0o022) !== 0)
    throw new BpfError(
      'refused',
      `${pins} may be written by others (mode ${(mode & 0o777).toString(8)}): chmod 700 it.`,
    );
}

function lock(pins: string, folder: number): void {
  const libc = openLibrary('libc.so.6');
  if (Number(libc.bind('int flock(int fd, int operation)')(folder, exclusiveAtOnce)) === 0) return;
  throw new BpfError(
    'held',
    `${pins} is in use by ${holderOf(fstatSync(folder).ino)}: only one process at a time may.`,
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
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    if (['ELOOP', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw new BpfError('refused', `The folder of pins is no folder of its own: ${(error as Error).message}.`);
    throw error;
  }
}
