import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isKubeError } from '#lib/kube/index.ts';
import { holderOf, inUse, removeHolder, writeHolder } from './holder.ts';
import { openSandboxFile, SandboxBusy, type SandboxFile } from './sandbox-file.ts';

const pathsOf = (state: string, name: string) => {
  const folder = join(state, 'sandboxes');
  return {
    folder,
    file: join(folder, `${name}.sqlite`),
    holder: join(folder, `${name}.holder`),
    kubeconfig: join(folder, `${name}.kubeconfig`),
  };
};

/** Where whoever has a kept sandbox open says how it is reached (serve/serve.ts). */
export function kubeconfigOf(state: string, name: string): string {
  return pathsOf(state, name).kubeconfig;
}

/** Opens a kept sandbox, or makes its empty file. Only one process at a time has it. */
export function openKept(state: string, name: string): SandboxFile {
  const { folder, file, holder, kubeconfig } = pathsOf(state, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const opened = openExclusively(file, name, holder);
  try {
    // A process that was killed leaves it behind.
    rmSync(kubeconfig, { force: true });
    writeHolder(holder, new Date());
  } catch (error) {
    // A lock that nobody gives back would be held until this process ends.
    opened.close();
    throw error;
  }
  return {
    ...opened,
    close: () => {
      // First the explanation, then the lock: whoever gets it next writes its own.
      removeHolder(holder);
      opened.close();
    },
  };
}

function openExclusively(file: string, name: string, holder: string): SandboxFile {
  try {
    return openSandboxFile(file, name);
  } catch (error) {
    throw error instanceof SandboxBusy ? inUse(name, holderOf(holder)) : error;
  }
}

/** The kubeconfig of a sandbox that a process has open and serves. */
export function servedKept(state: string, name: string): string | null {
  const { holder, kubeconfig } = pathsOf(state, name);
  return holderOf(holder) !== null && existsSync(kubeconfig) ? kubeconfig : null;
}

/** Names of sandboxes that were kept, each with the process that has it open. */
export function keptSandboxes(state: string): { name: string; openIn: number | null }[] {
  const { folder } = pathsOf(state, '');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((entry) => entry.endsWith('.sqlite'))
    .map((entry) => entry.slice(0, -'.sqlite'.length))
    .sort()
    .map((name) => ({ name, openIn: holderOf(pathsOf(state, name).holder)?.pid ?? null }));
}

/** The next opening starts from the template. Answers whether there was anything. Also helps where the file cannot be read. */
export function forgetKept(state: string, name: string): boolean {
  const { file, holder, kubeconfig } = pathsOf(state, name);
  if (!existsSync(file)) return false;
  let opened: SandboxFile | null = null;
  try {
    opened = openExclusively(file, name, holder);
    opened.prepareToDelete();
  } catch (error) {
    if (!isKubeError(error, 'invalid')) throw error;
  }
  // Removed while it is locked: nobody can open it in between.
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${suffix}`, { force: true });
  rmSync(kubeconfig, { force: true });
  removeHolder(holder);
  opened?.close();
  return true;
}
