import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../setup/child.mjs';

/**
 * Seconds of the processor that a program took, with all that it and its children waited for: Node tells this of itself alone, `times` (POSIX) of a
 * shell's children too. The shell outlives a signal to its group, so that what it runs has time to end. What became an orphan is not counted.
 */
const script = 'trap : HUP INT TERM; file=$1; shift; "$@"; code=$?; times >"$file"; exit $code';

/**
 * `of` gives `run` for a suite, at a priority, `seconds` what its programs have taken so far.
 * @returns {{ of: (suite: string, priority?: 'normal' | 'low') => typeof run, seconds: (suite: string) => number }}
 */
export function cpuMeter() {
  /** @type {Map<string, number>} */
  const taken = new Map();
  return {
    of:
      (suite, priority = 'normal') =>
      async (command, args, options) => {
        const folder = mkdtempSync(join(tmpdir(), 'signalbox-times-'));
        const file = join(folder, 'times');
        const result = await run('sh', ['-c', script, 'sh', file, command, ...args], { ...options, priority });
        const told = existsSync(file) ? readFileSync(file, 'utf8') : '';
        rmSync(folder, { recursive: true, force: true });
        taken.set(suite, (taken.get(suite) ?? 0) + childrenSeconds(told));
        return result;
      },
    seconds: (suite) => taken.get(suite) ?? 0,
  };
}

/** From what `times` prints: the shell's own user and system time on the first line, its children's on the second. @param {string} told */
export function childrenSeconds(told) {
  const each = [...(told.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  return each.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}

/**
 * The files of a suite that took most, from the lines that cpu-of-file.mjs wrote, for people.
 * @param {string} lines @param {number} count
 */
export function heaviestFiles(lines, count) {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => /** @type {{ file: string, seconds: number }} */ (JSON.parse(line)))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ file, seconds }) => `${file} ${seconds.toFixed(1)}`)
    .join(', ');
}
