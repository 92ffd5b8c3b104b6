import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * One start at a time installs and builds in a checkout; another waits for it. A lock whose process is gone counts for nothing.
 * @template T
 * @param {string} path
 * @param {() => void} onWait called once, when there is somebody to wait for
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function alone(path, onWait, work) {
  mkdirSync(dirname(path), { recursive: true });
  for (let waited = false; !take(path); waited = true) {
    if (!waited) onWait();
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  const release = () => rmSync(path, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/** @param {string} path */
function take(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
  }
  if (!isHeld(path)) rmSync(path, { force: true });
  return false;
}

/** @param {string} path */
function isHeld(path) {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    // Between making the file and writing its number there is nothing in it.
    if (pid === 0) return true;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
