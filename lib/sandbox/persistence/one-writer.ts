import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { KubeError } from '#lib/kube/index.ts';
import { identityOf, isAlive } from './process-identity.ts';

const holderSchema = z.object({ pid: z.number(), startedAt: z.string(), since: z.string() });
export type Holder = z.infer<typeof holderSchema>;

/**
 * Takes the right to write a sandbox, or says who has it. A holder that died without a word left its file behind; pid and start time tell
 * so. SQLite's own exclusive lock stands behind this one: it decides, this one explains.
 */
export function takeWriteLock(path: string, sandbox: string, now: Date): () => void {
  const own: Holder = { ...(identityOf(process.pid) ?? { pid: process.pid, startedAt: '' }), since: now.toISOString() };
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const file = openSync(path, 'wx', 0o600);
      writeSync(file, JSON.stringify(own));
      closeSync(file);
      return () => {
        if (holderOf(path)?.pid === own.pid) rmSync(path, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = holderOf(path);
    if (holder && isAlive(holder)) throw inUse(sandbox, holder);
    removeStale(path);
  }
  throw inUse(sandbox, holderOf(path));
}

export function holderOf(path: string): Holder | null {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
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

/** By a rename first: of two that find the same stale file, the one that moved the other's new one away puts it back. */
function removeStale(path: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    const holder = holderOf(aside);
    if (holder && isAlive(holder)) renameSync(aside, path);
    else rmSync(aside, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
