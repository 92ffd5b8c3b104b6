import { createHash, randomUUID } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { identityOf, isAlive } from '#lib/base/process-identity.ts';
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
    process: `${process.pid}@${identityOf(process.pid)?.startedAt ?? ''}@${await thisMachine()}`,
  };
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
  const [pidText, startedAt = '', machine] = processIdentity.split('@');
  if (machine !== (await thisMachine())) return 'elsewhere';
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid <= 0) return 'dead';
  return isAlive({ pid, startedAt }) ? 'alive' : 'dead';
}
