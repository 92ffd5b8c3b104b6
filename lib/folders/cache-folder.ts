import { homedir } from 'node:os';
import { join } from 'node:path';
import { FolderRefused, NoFolder, privateFolder } from './private-folder.ts';

const checked = new Set<string>();

/**
 * Where what was downloaded, built or compiled is kept; all of it can be had again: private-folder.ts. `SIGNALBOX_CACHE` is for CI, which saves
 * that folder. Throws a FolderRefused. One that cannot be made is answered all the same: there is nothing in it to be read.
 */
export function cacheFolder(env: Readonly<Record<string, string | undefined>>): string {
  const folder = join(env.SIGNALBOX_CACHE || env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'signalbox');
  if (checked.has(folder)) return folder;
  try {
    privateFolder(folder, 'XDG_CACHE_HOME');
    checked.add(folder);
  } catch (error) {
    if (error instanceof FolderRefused && !(error instanceof NoFolder)) throw error;
  }
  return folder;
}

/** Where Node keeps compiled code between starts. Throws as `cacheFolder` does. */
export function compiledFolder(env: Readonly<Record<string, string | undefined>>): string {
  return join(cacheFolder(env), 'compiled');
}
