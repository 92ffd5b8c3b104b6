import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where `npm run cluster` keeps its one cluster unless `--dir` says otherwise. */
export function defaultClusterFolder(env: Environment = process.env): string {
  return join(env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'signalbox', 'cluster');
}
