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

/** The kubeconfig of a stored sandbox, written by the process that serves it (serve/serve.ts). */
export function kubeconfigOf(state: string, name: string): string {
  return pathsOf(state, name).kubeconfig;
}

/** Opens a stored sandbox, or creates its empty file. Only one process can have it open. */
export function openStoredSandbox(state: string, name: string): SandboxFile {
  const { folder, file, holder, kubeconfig } = pathsOf(state, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const opened = openExclusively(file, name, holder);
  try {
    // A killed process leaves it behind.
    rmSync(kubeconfig, { force: true });
    writeHolder(holder, new Date());
  } catch (error) {
    // Otherwise the lock would be held until this process ends.
    opened.close();
    throw error;
  }
  return {
    ...opened,
    close: () => {
      // First the holder file, then the lock: the next holder writes its own file.
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

/** The kubeconfig of a sandbox that another process has open and serves; null if none does. */
export function servedKubeconfig(state: string, name: string): string | null {
  const { holder, kubeconfig } = pathsOf(state, name);
  return holderOf(holder) !== null && existsSync(kubeconfig) ? kubeconfig : null;
}

/** Names of stored sandboxes, each with the pid of the process that has it open. */
export function storedSandboxes(state: string): { name: string; openIn: number | null }[] {
  const { folder } = pathsOf(state, '');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((entry) => entry.endsWith('.sqlite'))
    .map((entry) => entry.slice(0, -'.sqlite'.length))
    .sort()
    .map((name) => ({ name, openIn: holderOf(pathsOf(state, name).holder)?.pid ?? null }));
}

/** Makes the next opening start from the template. Returns whether there was a file. Also works if the file cannot be read. */
export function forgetStoredSandbox(state: string, name: string): boolean {
  const { file, holder, kubeconfig } = pathsOf(state, name);
  if (!existsSync(file)) return false;
  let opened: SandboxFile | null = null;
  try {
    opened = openExclusively(file, name, holder);
    opened.prepareToDelete();
  } catch (error) {
    if (!isKubeError(error, 'invalid')) throw error;
  }
  // Deleted while it is locked, so that nobody can open it in between.
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${suffix}`, { force: true });
  rmSync(kubeconfig, { force: true });
  removeHolder(holder);
  opened?.close();
  return true;
}
