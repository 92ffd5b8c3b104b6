import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { privateFolder } from './private-folder.mjs';

/**
 * `$XDG_STATE_HOME/signalbox`: private-folder.mjs. A path that is not absolute is ignored, as the XDG Base Directory Specification asks.
 * Rejects with a FolderRefused.
 */
export async function stateFolder(env: Readonly<Record<string, string | undefined>> = process.env): Promise<string> {
  const given = env.XDG_STATE_HOME ?? '';
  return privateFolder(
    join(isAbsolute(given) ? given : join(homedir(), '.local', 'state'), 'signalbox'),
    'XDG_STATE_HOME',
  );
}
