import { rm } from 'node:fs/promises';
import { cacheFolder } from '#lib/folders/index.ts';

/** What is kept of releases on this machine. Anybody who may write there could have: nothing of it is used that is not proven. */
export type Cache = {
  readonly folder: string;
  /** Of this installation, and kept elsewhere: seals what no published checksum proves. Null: such things are neither kept nor read. */
  readonly key: Uint8Array | null;
  /** Hears a sentence for the log when something was thrown away. */
  readonly onNotice: (sentence: string) => void;
};

export type CacheOptions = {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cacheKey?: Uint8Array | null | undefined;
  readonly onNotice?: ((sentence: string) => void) | undefined;
};

export function cacheOf({ env = process.env, cacheKey = null, onNotice = () => undefined }: CacheOptions): Cache {
  return { folder: cacheFolder(env), key: cacheKey, onNotice };
}

/** Throws away a file that is not what was kept, and says so. */
export async function discard({ onNotice }: Cache, path: string): Promise<void> {
  onNotice(`${path} was changed by another program, or is damaged: it is deleted and written again.`);
  await rm(path, { force: true }).catch(() => undefined);
}
