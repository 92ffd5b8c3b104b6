import { rmSync } from 'node:fs';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type TemporaryFolder = { readonly path: string; remove(): Promise<void> };

const existing = new Set<string>();
const signals = ['SIGINT', 'SIGHUP', 'SIGTERM'] as const;

/**
 * An empty folder among the machine's temporary files, this user's alone. The process also removes it if it ends before `remove`: a reader goes away
 * (`| head`), Ctrl-C, a closed terminal. Only SIGKILL leaves it (`temporaryFolders`). Rejects where the system makes no folder.
 */
export async function temporaryFolder(name: string): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), startOf(name)));
  if (existing.size === 0) {
    process.on('exit', removeAll);
    // First of all listeners: one that is called once is gone when the next is called.
    for (const signal of signals) process.prependListener(signal, endBy);
  }
  existing.add(path);
  return {
    path,
    remove: async () => {
      await rm(path, { recursive: true, force: true });
      if (!existing.delete(path) || existing.size > 0) return;
      process.off('exit', removeAll);
      for (const signal of signals) process.off(signal, endBy);
    },
  };
}

/** The folders of this name that processes of this user have made and not removed, those of living ones too. Never rejects. */
export async function temporaryFolders(name: string): Promise<string[]> {
  const entries = await readdir(tmpdir(), { withFileTypes: true }).catch(() => []);
  const paths = entries
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(startOf(name)))
    .map((entry) => join(tmpdir(), entry.name));
  const owners = await Promise.all(paths.map((path) => lstat(path).catch(() => null)));
  return paths.filter((_, at) => owners[at]?.isDirectory() && owners[at]?.uid === process.getuid?.());
}

const startOf = (name: string) => `signalbox-${name}-`;

function removeAll(): void {
  for (const path of existing)
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // It stays. An error here would change how the process ends.
    }
}

/** Ends the process by the signal, as it would end without this listener. Does nothing if others listen to the signal: they decide what ends. */
function endBy(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  removeAll();
  process.off(signal, endBy);
  process.kill(process.pid, signal);
}
