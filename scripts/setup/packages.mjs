import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './child.mjs';
import { root } from './root.mjs';

/** @typedef {{ version?: string, integrity?: string, optional?: boolean, os?: string | string[], cpu?: string | string[], libc?: string[] }} Locked */

/** Why packages are to be installed; null where node_modules is what the lockfile says. @returns {string | null} */
export function packagesMissing() {
  return whyInstall(readLock('package-lock.json') ?? {}, readLock(join('node_modules', '.package-lock.json')));
}

/** Runs `npm ci` where node_modules is not what the lockfile says. Throws a sentence and npm's own words when that fails. */
export async function installPackages() {
  const why = packagesMissing();
  if (why === null) return;
  console.log(`npm ci: ${why}.`);
  await npmCi();
}

/**
 * Nothing that a package brings is run while it is installed: none needs it (`hasInstallScript` in package-lock.json), and a test holds it to that.
 * Throws a sentence and npm's own words when it fails.
 */
export async function npmCi() {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-npm-'));
  const log = join(folder, 'npm-ci.log');
  const { code, tail } = await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { output: { log } });
  if (code !== 0) throw new Error(`${tail.trim()}\nnpm ci failed; all that it wrote is in ${log}`);
  rmSync(folder, { recursive: true, force: true });
}
/**
 * A sentence's beginning, or null when nothing is to be done. Compares contents, not ages: a checkout touches the lockfile, and
 * an npm ci that was interrupted leaves a folder that looks new.
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

/** An optional package that this machine takes. Where the C library decides too, npm knows better than we do. @param {Locked} entry */
function isForHere({ os, cpu, libc }) {
  return !libc && [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch);
}

/** @param {string} name @returns {Readonly<Record<string, Locked>> | null} */
function readLock(name) {
  const path = join(root, name);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : null;
}
