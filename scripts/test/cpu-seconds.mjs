import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../setup/child.mjs';

/**
 * Measures the CPU seconds of a program and of all descendants that were waited for. Node reports only its own; `times` of a POSIX shell includes
 * children. The shell ignores signals to its group, so that the program has time to end. Orphans are not counted.
 */
const script = 'trap : HUP INT TERM; file=$1; shift; "$@"; code=$?; times >"$file"; exit $code';

/**
 * `of` returns a `run` that adds the CPU seconds of its programs to a suite; `seconds` returns the sum for a suite.
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
        const times = existsSync(file) ? readFileSync(file, 'utf8') : '';
        rmSync(folder, { recursive: true, force: true });
        taken.set(suite, (taken.get(suite) ?? 0) + childrenSeconds(times));
        return result;
      },
    seconds: (suite) => taken.get(suite) ?? 0,
  };
}

/** Reads the output of `times`: the shell's own user and system time on the first line, its children's on the second. @param {string} times */
export function childrenSeconds(times) {
  const each = [...(times.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  return each.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}

/**
 * The test files that took most CPU seconds, from the lines that cpu-of-file.mjs wrote: `lib/a.test.ts 12.3, lib/b.test.ts 4.0`.
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
