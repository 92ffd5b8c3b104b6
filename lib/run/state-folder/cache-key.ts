import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { writtenOnce } from './state-file.ts';

const bytes = 32;
const shape = new RegExp(`^[0-9a-f]{${2 * bytes}}$`);

/**
 * The key with which this installation recognises its own cache entries: a file in its state folder, which only its owner may open. Null if the
 * folder cannot store one: then nothing is cached that needs it.
 */
export async function cacheKey(stateFolder: string): Promise<Uint8Array | null> {
  const text = await writtenOnce(join(stateFolder, 'cache-key'), () => randomBytes(bytes).toString('hex')).catch(
    () => '',
  );
  return shape.test(text) ? Buffer.from(text, 'hex') : null;
}
