import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../setup/child.mjs';

/** Whether packages can be installed: as root on Debian or a derivative. */
export function canAptInstall() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

/** @type {Promise<unknown>} */
let before = Promise.resolve();

/** Installs packages, one call after the other, because apt holds a lock. @param {readonly string[]} packages @returns {Promise<string | null>} null, or why it failed */
export function aptInstall(packages) {
  const installed = before.then(() => install(packages));
  before = installed.catch(() => {});
  return installed;
}

/** @param {readonly string[]} packages @returns {Promise<string | null>} */
async function install(packages) {
  console.log(`apt-get install ${packages.join(' ')}`);
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-apt-'));
  const log = join(folder, 'apt.log');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', ...packages]]) {
    const { code, tail } = await run('apt-get', args, { output: { log }, env });
    if (code !== 0) {
      console.error(tail.trim());
      return `apt-get ${args[0]} failed; all that it wrote is in ${log}. Install ${packages.join(', ')} by hand.`;
    }
  }
  rmSync(folder, { recursive: true, force: true });
  return null;
}
