import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { writtenOnce } from './state-file.ts';

const bytes = 32;
const shape = new RegExp(`^[0-9a-f]{${2 * bytes}}$`);

/**
 * The key by which this installation knows again what it put into the cache: a file of its state folder, which only its owner may open. Null where
 * the folder cannot hold one: then nothing is kept that would need it.
 */
export async function cacheKey(stateFolder: string): Promise<Uint8Array | null> {
  const text = await writtenOnce(join(stateFolder, 'cache-key'), () => randomBytes(bytes).toString('hex')).catch(
    () => '',
  );
  return shape.test(text) ? Buffer.from(text, 'hex') : null;
}
