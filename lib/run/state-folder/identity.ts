import { createHash, randomUUID } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { identityOf, isAlive } from '#lib/base/process-identity.ts';
import { writtenOnce } from './state-file.ts';

/** Who acts: `install id / pid@start`. The install id is in the state folder, so that the same installation may go on after a crash. */
export type Identity = { install: string; process: string };

/** The identity as Leases and journals hold it: `<install id>/<pid>@<start>@<machine>`. */
export function holderIdentity(identity: Identity): string {
  return `${identity.install}/${identity.process}`;
}

/** Identifies this installation; not a secret. */
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

/** Identifies this boot and pid namespace of this machine: process ids mean nothing outside of it, and several machines may share a state folder. */
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

/** What is known of a process by its identity: nothing, if it is or was another machine's. */
export async function processState(processIdentity: string): Promise<'alive' | 'dead' | 'elsewhere'> {
  const [pidText, startedAt = '', machine] = processIdentity.split('@');
  if (machine !== (await thisMachine())) return 'elsewhere';
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid <= 0) return 'dead';
  return isAlive({ pid, startedAt }) ? 'alive' : 'dead';
}
