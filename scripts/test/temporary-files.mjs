import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A folder for the temporary files of a suite's processes (TMPDIR). Other users may pass through it, as some tests do, and write nothing into it. The
 * name is short: a Unix socket's path has 108 bytes at most, 104 on macOS. `end` removes the folder and tells what our own code had left in it, as
 * `signalbox-flows (2)`; an interrupted run removes it too.
 */
export function temporaryFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-run-'));
  chmodSync(folder, 0o711);
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', remove);
  return {
    folder,
    end() {
      const left = leftBehind(readdirSync(folder));
      remove();
      process.off('exit', remove);
      return left;
    },
  };
}

/** Other programs' files, such as Chromium's profile, are not counted: they may be in use until vitest has ended. @param {readonly string[]} names */
export function leftBehind(names) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const name of names.filter((one) => one.startsWith('signalbox-'))) {
    // mkdtemp adds six characters.
    const made = name.replace(/-[A-Za-z0-9]{6}$/, '');
    counts.set(made, (counts.get(made) ?? 0) + 1);
  }
  return [...counts].sort().map(([made, count]) => (count === 1 ? made : `${made} (${count})`));
}
