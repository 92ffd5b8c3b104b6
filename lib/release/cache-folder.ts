import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where what was downloaded or built is kept; all of it can be had again. `SIGNALBOX_CACHE` is for CI, which saves that folder. */
export function cacheFolder(env: Readonly<Record<string, string | undefined>>): string {
  return join(env.SIGNALBOX_CACHE || env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'signalbox');
}
