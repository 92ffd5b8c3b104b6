import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, utimesSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** The holder touches its lock at this interval. A lock that is not touched for `silentMs` has no holder, whatever process id it contains. */
const touchMs = 5_000;
const silentMs = 30_000;

/**
 * Lets one start at a time install and build in a checkout; another waits for it. Removes a lock whose process has ended, and one that is not touched any
 * more: its process id may belong to another process by now (after a power failure), or be missing (after a full disk).
 * @template T
 * @param {string} path
 * @param {() => void} onWait called once, if another start holds the lock
 * @param {() => Promise<T>} work
 * @param {number} silentFor
 * @returns {Promise<T>}
 */
export async function alone(path, onWait, work, silentFor = silentMs) {
  mkdirSync(dirname(path), { recursive: true });
  /** Measured with the monotonic clock, because the wall clock may jump. */
  let seen = { mark: '', sinceMs: performance.now() };
  for (let waited = false; !take(path); waited = true) {
    const mark = markOf(path);
    if (mark !== seen.mark) seen = { mark, sinceMs: performance.now() };
    if (isOfDead(path) || performance.now() - seen.sinceMs > silentFor) remove(path, mark);
    if (!waited) onWait();
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  const release = () => rmSync(path, { force: true });
  const touching = setInterval(() => touch(path), touchMs);
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(touching);
    process.off('exit', release);
    release();
  }
}

/** @param {string} path */
function take(path) {
  let file;
  try {
    file = openSync(path, 'wx');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    return false;
  }
  try {
    writeSync(file, String(process.pid));
    return true;
  } catch (error) {
    // The disk may be full: an empty lock would make every other start wait.
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Removes the lock if it is still this one: another waiting start may have removed it and made its own. @param {string} path @param {string} mark */
function remove(path, mark) {
  if (markOf(path) === mark) rmSync(path, { force: true });
}

/** @param {string} path */
function markOf(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.ino} ${stat.mtimeMs}` : '';
}

/** @param {string} path */
function touch(path) {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // Another start took the lock while this process was suspended; the work here is nearly done.
  }
}

/** @param {string} path */
function isOfDead(path) {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    // The holder has created the file but not written its process id yet.
    if (pid === 0) return false;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    return code === 'ESRCH';
  }
}
