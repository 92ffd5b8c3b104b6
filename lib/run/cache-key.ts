import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const bytes = 32;

/**
 * The key by which this installation knows again what it put into the cache: a file of its state folder, which only its owner may open. Null where
 * the folder cannot hold one: then nothing is kept that would need it.
 */
export async function cacheKey(stateFolder: string): Promise<Uint8Array | null> {
  const path = join(stateFolder, 'cache-key');
  const draft = `${path}.${randomUUID()}`;
  try {
    const known = await keyIn(path);
    if (known !== null) return known;
    await writeFile(draft, `${randomBytes(bytes).toString('hex')}\n`, { mode: 0o600, flush: true });
    // Unlike a rename, a link never takes another's place: of two processes both get what the first one wrote.
    await link(draft, path).catch(() => undefined);
    return await keyIn(path);
  } catch {
    return null;
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

async function keyIn(path: string): Promise<Uint8Array | null> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return new RegExp(`^[0-9a-f]{${2 * bytes}}\n$`).test(text) ? Buffer.from(text.trim(), 'hex') : null;
}
