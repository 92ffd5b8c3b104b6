import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where built programs are kept between runs. `SIGNALBOX_CACHE` is for CI, which saves that folder. */
export function cacheFolder(env: Environment = process.env): string {
  return join(env.SIGNALBOX_CACHE || env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'signalbox');
}

/** Where `npm run cluster` keeps its one cluster unless `--dir` says otherwise. */
export function defaultClusterFolder(env: Environment = process.env): string {
  return join(env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'signalbox', 'cluster');
}
