import type { Terminal } from '../terminal/terminal.ts';

/** This installation's cache of releases; discarded entries are reported on stderr. Without a state folder, parsed files are not cached. */
export async function releaseCache(env: NodeJS.ProcessEnv, terminal: Pick<Terminal, 'err'>) {
  const { cacheKey, stateFolder } = await import('#lib/run/index.ts');
  const folder = await stateFolder(env).catch(() => null);
  return {
    env,
    cacheKey: folder === null ? null : await cacheKey(folder),
    onNotice: (sentence: string) => terminal.err(sentence),
  };
}
