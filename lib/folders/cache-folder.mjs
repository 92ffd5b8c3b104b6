import { homedir } from 'node:os';
import { join } from 'node:path';
import { FolderRefused, NoFolder, privateFolder } from './private-folder.mjs';

/** @type {Set<string>} */
const checked = new Set();

/**
 * Where what was downloaded, built or compiled is kept; all of it can be had again: private-folder.mjs. `SIGNALBOX_CACHE` is for CI, which saves
 * that folder. Throws a FolderRefused. One that cannot be made is answered all the same: there is nothing in it to be read.
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {string}
 */
export function cacheFolder(env) {
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

/**
 * Where Node keeps compiled code between starts. Throws as `cacheFolder` does.
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {string}
 */
export function compiledFolder(env) {
  return join(cacheFolder(env), 'compiled');
}
