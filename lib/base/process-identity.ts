import { readFileSync } from 'node:fs';

type ProcessIdentity = { pid: number; startedAt: string };

/** A process by id and start time, because ids are reused. `startedAt` is empty if the system does not report it. Null: no such process. */
export function identityOf(pid: number): ProcessIdentity | null {
  const stat = statOf(pid);
  // A zombie has ended; its parent has not collected its status yet.
  if (stat) return stat.state === 'Z' || stat.state === 'X' ? null : { pid, startedAt: stat.startedAt };
  try {
    process.kill(pid, 0);
    return { pid, startedAt: '' };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? { pid, startedAt: '' } : null;
  }
}

/** Fields 3 and 22 of /proc/PID/stat, the latter in clock ticks since boot; the command in field 2 may contain anything, parentheses too. */
function statOf(pid: number): { state: string; startedAt: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', startedAt: fields[19] ?? '' };
  } catch {
    return null;
  }
}

/** Whether this process runs, also one that we may not signal. Without `startedAt`, only the id is compared. */
export function isAlive({ pid, startedAt = '' }: { pid: number; startedAt?: string }): boolean {
  const now = identityOf(pid);
  return now !== null && (now.startedAt === startedAt || now.startedAt === '' || startedAt === '');
}
