import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './child.mjs';
import { root } from './root.mjs';

/** @typedef {{ version?: string, integrity?: string, optional?: boolean, os?: string | string[], cpu?: string | string[], libc?: string[] }} Locked */

/** Why packages must be installed; null if node_modules matches the lock file. @returns {string | null} */
export function packagesMissing() {
  return whyInstall(readLock('package-lock.json') ?? {}, readLock(join('node_modules', '.package-lock.json')));
}

/** Runs `npm ci` if node_modules does not match the lock file. If npm fails, throws a sentence with npm's output. */
export async function installPackages() {
  const why = packagesMissing();
  if (why === null) return;
  console.log(`npm ci: ${why}.`);
  await npmCi();
}

/**
 * Installs packages without running their scripts. No package needs its script (`hasInstallScript` in package-lock.json), which a test checks.
 * If npm fails, throws a sentence with npm's output.
 */
export async function npmCi() {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-npm-'));
  const log = join(folder, 'npm-ci.log');
  const { code, tail } = await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { output: { log } });
  if (code !== 0) throw new Error(`${tail.trim()}\nnpm ci failed; all that it wrote is in ${log}`);
  rmSync(folder, { recursive: true, force: true });
}
/**
 * Why packages must be installed, as the beginning of a sentence; null if nothing has to be done. Compares contents instead of times, because a checkout
 * touches the lock file, and an interrupted npm ci leaves a folder that looks new.
 * @param {Readonly<Record<string, Locked>>} wanted
 * @param {Readonly<Record<string, Locked>> | null} installed
 * @returns {string | null}
 */
export function whyInstall(wanted, installed) {
  if (installed === null) return 'node_modules is missing or incomplete';
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '') continue;
    const have = installed[path];
    const name = path.replace(/^.*node_modules\//, '');
    if (!have) {
      if (!entry.optional || isForHere(entry)) return `${name} ${entry.version} is not installed`;
    } else if (have.version !== entry.version || have.integrity !== entry.integrity) {
      return `${name} is ${have.version}, package-lock.json says ${entry.version}`;
    }
  }
  const stray = Object.keys(installed).find((path) => !(path in wanted));
  return stray === undefined ? null : `${stray} is not in package-lock.json`;
}

/** Whether an optional package is for this machine. False if the C library decides too, which only npm can tell. @param {Locked} entry */
function isForHere({ os, cpu, libc }) {
  return !libc && [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch);
}

/** @param {string} name @returns {Readonly<Record<string, Locked>> | null} */
function readLock(name) {
  const path = join(root, name);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : null;
}
