import { createHash, randomUUID } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { writtenOnce } from './state-file.ts';

/** Who acts: `install id / pid@start`. The install id lives in the state folder, so that the same installation may carry on by itself after a crash. */
export type Identity = { install: string; process: string };

export function holderIdentity(identity: Identity): string {
  return `${identity.install}/${identity.process}`;
}

/** Names this installation; no secret. */
export function installId(folder: string): Promise<string> {
  return writtenOnce(join(folder, 'install-id'), randomUUID);
}

/** This process of this installation. */
export async function ownIdentity(folder: string): Promise<Identity> {
  return {
    install: await installId(folder),
    process: `${process.pid}@${await startedAt(process.pid)}@${await thisMachine()}`,
  };
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

/** Process numbers mean something only within one boot of one machine and one pid namespace; a state folder may be shared by several. */
export async function thisMachine(): Promise<string> {
  const parts = [
    hostname(),
    await text('/proc/sys/kernel/random/boot_id'),
    await readlink('/proc/self/ns/pid').catch(() => ''),
  ];
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 8);
}

async function text(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

/** What can be said of a process by its identity: nothing, when it is or was another machine's. */
export async function processState(processIdentity: string): Promise<'alive' | 'dead' | 'elsewhere'> {
  const [pidText, start, machine] = processIdentity.split('@');
  if (machine !== (await thisMachine())) return 'elsewhere';
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid <= 0) return 'dead';
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'dead';
  }
  return start === '' || start === (await startedAt(pid)) ? 'alive' : 'dead';
}
