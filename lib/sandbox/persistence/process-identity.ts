import { readFileSync } from 'node:fs';

export type ProcessIdentity = { pid: number; startedAt: string };

/** A process ID alone is used again; with its start it is not. In milliseconds where the system does not tell the start of others. */
export function identityOf(pid: number): ProcessIdentity | null {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return null;
  }
  return { pid, startedAt: startOf(pid) };
}

/** Field 22 of /proc/PID/stat, clock ticks since boot; the command in field 2 may contain anything, parentheses too. Empty elsewhere. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

export function isAlive({ pid, startedAt }: ProcessIdentity): boolean {
  const now = identityOf(pid);
  return now !== null && (now.startedAt === startedAt || now.startedAt === '' || startedAt === '');
}
