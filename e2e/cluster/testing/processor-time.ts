import { readFileSync } from 'node:fs';

/** Linux on every architecture that it runs on here (proc(5): sysconf(_SC_CLK_TCK)). */
const msOfTick = 10;

/** What a process has taken of the processor, with its children that have ended and were waited for, in ms; null: it is gone. */
export function processorMsOf(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    // utime, stime, cutime, cstime.
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * msOfTick, 0);
  } catch {
    return null;
  }
}
