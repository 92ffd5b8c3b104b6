import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { EmulatedOperator } from '#lib/operator/index.ts';
import { importsOf } from '../../../scripts/architecture/imports.ts';
import type { Binaries } from '../binaries.ts';
import { calicoFile } from '../calico-files.ts';
import type { NodeOptions } from '../objects/nodes.ts';

/** The options by which two settled clusters differ. */
export type SettledCluster = {
  readonly like: EmulatedOperator;
  readonly nodes: readonly NodeOptions[];
};

const root = join(import.meta.dirname, '..', '..', '..');
/** The entry files of the code that makes a cluster: the supervisor, and the operator's stand-in. The stand-in's command line writes no objects, so it is left out. */
const makers = ['e2e/controlplane/supervisor.ts', 'lib/operator/index.ts'];
const publicFiles = ['operator-crds.yaml', 'tigera-operator.yaml', 'custom-resources.yaml'];

/**
 * The key of a cluster's data: a hash of all that decides its contents. These are the options, our code with its imports, the programs, Calico's files,
 * Node's version, and the day, because certificates expire and times in the data grow old.
 */
export async function settledKey(cluster: SettledCluster, binaries: Binaries, now = new Date()): Promise<string> {
  const hash = createHash('sha256');
  const add = (name: string, contents: string | Buffer) =>
    hash.update(`${name}\0${contents.length}\0`).update(contents);
  add('cluster', JSON.stringify(cluster));
  add('day', now.toISOString().slice(0, 10));
  add('node', process.version);
  for (const [name, path] of Object.entries(binaries).sort()) {
    const { size, mtimeMs } = statSync(path);
    add(name, `${path} ${size} ${mtimeMs}`);
  }
  for (const name of publicFiles) add(name, await calicoFile(cluster.like, name));
  for (const path of ['package-lock.json', ...sourcesOf(root, makers)]) add(path, readFileSync(join(root, path)));
  return hash.digest('hex').slice(0, 16);
}

/** These files and all files of ours that they import, sorted, so that the hash is the same on every machine. */
export function sourcesOf(folder: string, files: readonly string[]): string[] {
  const found = new Set<string>();
  const left = [...files];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    if (!path.endsWith('.ts')) continue;
    for (const { to, when } of importsOf(folder, path)) if (when !== 'type' && isFile(join(folder, to))) left.push(to);
  }
  return [...found].sort();
}

/** False for a package: the lock file covers those. */
const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
