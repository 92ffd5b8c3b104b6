import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { holderOf, inUse, takeWriteLock } from './one-writer.ts';
import { openSandboxFile, SandboxBusy, type SandboxFile } from './sandbox-file.ts';

const paths = (state: string, name: string) => {
  const folder = join(state, 'sandboxes');
  return { folder, file: join(folder, `${name}.sqlite`), lock: join(folder, `${name}.lock`) };
};

/** Opens a kept sandbox, or makes its empty file. Only one process at a time has it. */
export function openKept(state: string, name: string): SandboxFile {
  const { folder, file, lock } = paths(state, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const release = takeWriteLock(lock, name, new Date());
  try {
    const opened = openSandboxFile(file, name);
    return {
      ...opened,
      close: () => {
        opened.close();
        release();
      },
    };
  } catch (error) {
    release();
    throw error instanceof SandboxBusy ? inUse(name, null) : error;
  }
}

/** Names of sandboxes that were kept, each with who has it open. */
export function keptSandboxes(state: string): { name: string; openIn: number | null }[] {
  const { folder } = paths(state, '');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((entry) => entry.endsWith('.sqlite'))
    .map((entry) => entry.slice(0, -'.sqlite'.length))
    .sort()
    .map((name) => ({ name, openIn: holderOf(paths(state, name).lock)?.pid ?? null }));
}

/** The next opening starts from the template. Answers whether there was anything. */
export function forgetKept(state: string, name: string): boolean {
  const { folder, file, lock } = paths(state, name);
  if (!existsSync(file)) return false;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const release = takeWriteLock(lock, name, new Date());
  try {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${suffix}`, { force: true });
    return true;
  } finally {
    release();
  }
}
