import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { privateFolder } from '#lib/folders/index.ts';
import { sweepParts } from './state-file.ts';

/** Files with the changes of flows that runs caused. Cluster and run are separated by a dot, which a run's name cannot contain. */
const folderOf = (stateFolder: string) => join(stateFolder, 'traffic');

/** The file of a run; creates its folder. Throws FolderRefused. */
export function trafficFile(stateFolder: string, cluster: string, run: string): string {
  return join(privateFolder(folderOf(stateFolder), 'XDG_STATE_HOME'), `${cluster}.${run}.json`);
}

/** Removes the files of runs that are gone, of any cluster, and half-written ones. Rejects only if one cannot be removed. */
export async function removeTraffic(
  stateFolder: string,
  isGone: (run: string) => boolean | Promise<boolean>,
): Promise<void> {
  const folder = folderOf(stateFolder);
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names) {
    const [, run] = /\.([^.]+)\.json$/.exec(name) ?? [];
    if (run !== undefined && (await isGone(run))) await rm(join(folder, name), { force: true });
  }
  await sweepParts(folder);
}
