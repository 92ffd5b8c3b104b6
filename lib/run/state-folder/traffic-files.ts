import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { privateFolder } from '#lib/folders/index.ts';
import { sweepParts } from './state-file.ts';

/** What flows said of runs, a file each. Neither name holds what the other could begin with: a run has no dot. */
const folderOf = (stateFolder: string) => join(stateFolder, 'traffic');

/** The file of a run; its folder is made. Throws FolderRefused. */
export function trafficFile(stateFolder: string, cluster: string, run: string): string {
  return join(privateFolder(folderOf(stateFolder), 'XDG_STATE_HOME'), `${cluster}.${run}.json`);
}

/** Removes the files of runs that are gone, whatever their clusters are called, and what was left half written. Rejects only where one cannot be removed. */
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
