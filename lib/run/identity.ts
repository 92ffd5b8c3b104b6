import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Who acts: `install id / pid@start`. The install id lives in the state folder, so that the same installation may carry on by itself after a crash. */
export type Identity = { install: string; process: string };

export function holderIdentity(identity: Identity): string {
  return `${identity.install}/${identity.process}`;
}

/** `$XDG_STATE_HOME/signalbox`, created with mode 0700. */
export async function stateFolder(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const folder = join(env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'signalbox');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** This process of this installation. */
export async function ownIdentity(folder: string): Promise<Identity> {
  return { install: await installId(folder), process: `${process.pid}@${await startedAt(process.pid)}` };
}

async function installId(folder: string): Promise<string> {
  const path = join(folder, 'install-id');
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch {
    const id = randomUUID();
    try {
      await writeFile(path, `${id}\n`, { flag: 'wx', mode: 0o600 });
      return id;
    } catch {
      return (await readFile(path, 'utf8')).trim();
    }
  }
}

/** Field 22 of /proc/PID/stat tells a process from a later one with the same number; elsewhere the number has to do. */
async function startedAt(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/** Whether a process of this machine, as its identity names it, still runs. */
export async function processAlive(processIdentity: string): Promise<boolean> {
  const [pidText, start] = processIdentity.split('@');
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return start === '' || start === (await startedAt(pid));
}
