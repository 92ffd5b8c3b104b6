import type { Terminal } from '../terminal/terminal.ts';

/** The cache of releases as this installation uses it; what is thrown away is told on stderr. Without a state folder nothing parsed is kept. */
export async function releaseCache(env: NodeJS.ProcessEnv, terminal: Pick<Terminal, 'err'>) {
  const { cacheKey, stateFolder } = await import('#lib/run/index.ts');
  const folder = await stateFolder(env).catch(() => null);
  return {
    env,
    cacheKey: folder === null ? null : await cacheKey(folder),
    onNotice: (sentence: string) => terminal.err(sentence),
  };
}
