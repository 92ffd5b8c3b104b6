import { readFileSync } from 'node:fs';

/** Linux on every architecture that it runs on here (proc(5): sysconf(_SC_CLK_TCK)). */
const msOfTick = 10;

/** Processor time of a process and its waited-for children, in ms; null: it has ended. */
export function processorMsOf(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    // utime, stime, cutime, cstime.
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * msOfTick, 0);
  } catch {
    return null;
  }
}
