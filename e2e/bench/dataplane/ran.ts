import { readdirSync, readFileSync } from 'node:fs';

/** What all threads of a process have run, in ns (Documentation/scheduler/sched-stats.rst). */
export function ranNs(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce(
    (sum, thread) => sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
    0,
  );
}
