import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, utimesSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** The holder touches its lock this often; one that nobody touches for `silentMs` is nobody's, whatever stands in it. */
const touchMs = 5_000;
const silentMs = 30_000;

/**
 * One start at a time installs and builds in a checkout; another waits for it. A lock whose process is gone counts for nothing, nor does one that
 * lies still: its number may be another process's by now (a machine that lost its power), or missing (a disk that was full).
 * @template T
 * @param {string} path
 * @param {() => void} onWait called once, when there is somebody to wait for
 * @param {() => Promise<T>} work
 * @param {number} silentFor
 * @returns {Promise<T>}
 */
export async function alone(path, onWait, work, silentFor = silentMs) {
  mkdirSync(dirname(path), { recursive: true });
  /** Watched by our own clock: the machine's may jump. */
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
    // A full disk: an empty lock would keep everybody waiting.
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Looked at again: another start that waits may have removed this one already, and taken its own. @param {string} path @param {string} mark */
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
    // Taken from us while this process was held still; the work is nearly done.
  }
}

/** @param {string} path */
function isOfDead(path) {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    // Between making the file and writing its number there is nothing in it.
    if (pid === 0) return false;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    return code === 'ESRCH';
  }
}
