import { rm } from 'node:fs/promises';
import { cacheFolder } from '#lib/folders/index.ts';

/** The cache of release files on this machine. Others may be able to write there, so its content is used only if it is verified. */
export type Cache = {
  readonly folder: string;
  /** This installation's key, stored elsewhere, which seals files without a published checksum. Null: such files are neither cached nor read. */
  readonly key: Uint8Array | null;
  /** Called with a sentence for the log when a file is discarded. */
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

/** Deletes a file that does not verify, and reports it. */
export async function discard({ onNotice }: Cache, path: string): Promise<void> {
  onNotice(`${path} was changed by another program, or is damaged: it is deleted and written again.`);
  await rm(path, { force: true }).catch(() => undefined);
}
