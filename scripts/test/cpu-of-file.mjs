import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll, expect } from 'vitest';
import { root } from '../setup/root.mjs';

/** Clock ticks per second in /proc (USER_HZ). */
const ticks = 100;

/** Vitest runs this before each test file. It records the CPU seconds of its worker until the file's end, and of children that ended meanwhile. */
const log = process.env.SIGNALBOX_CPU_LOG;
if (log) {
  const before = cpuSeconds();
  afterAll(() => {
    const file = relative(root, expect.getState().testPath ?? '');
    appendFileSync(log, `${JSON.stringify({ file, seconds: cpuSeconds() - before })}\n`);
  });
}

/** CPU seconds of this process and, on Linux, of its children that ended. */
function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + childrenSeconds();
}

function childrenSeconds() {
  if (!existsSync('/proc/self/stat')) return 0;
  // Splits after the program's name, which may contain anything. `cutime` and `cstime` are fields 16 and 17 (proc_pid_stat(5)).
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) / ticks;
}
