import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { identityOf, isAlive } from '#lib/base/process-identity.ts';
import { KubeError } from '#lib/kube/index.ts';

const holderSchema = z.object({ pid: z.number(), startedAt: z.string(), since: z.string() });
export type Holder = z.infer<typeof holderSchema>;

/**
 * Records which process has a sandbox open, for the message that a second process gets. The lock itself is SQLite's and ends with its process; this
 * file only explains it and may be stale, which pid and start time show.
 */
export function writeHolder(path: string, now: Date): void {
  const own: Holder = { ...(identityOf(process.pid) ?? { pid: process.pid, startedAt: '' }), since: now.toISOString() };
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(own), { mode: 0o600 });
  renameSync(temporary, path);
}

export function removeHolder(path: string): void {
  rmSync(path, { force: true });
}

/** Null if that process no longer exists. */
export function holderOf(path: string): Holder | null {
  try {
    const holder = holderSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    return isAlive(holder) ? holder : null;
  } catch {
    return null;
  }
}

export function inUse(sandbox: string, holder: Holder | null): KubeError {
  const who = holder ? `process ${holder.pid} since ${holder.since}` : 'another process';
  return new KubeError(
    'conflict',
    `Sandbox "${sandbox}" is open in ${who}; one process at a time can have it. Wait until it is done, or stop it.`,
  );
}
