import { randomBytes } from 'node:crypto';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

const lengthBytes = 32;

/**
 * The key that signs session cookies: 32 random bytes, mode 0600, in the state folder, so that a session survives the console. A file that others
 * could have read, or of another length, is replaced: that ends every session, and nothing else.
 */
export async function signingKey(folder: string): Promise<Buffer> {
  const path = join(folder, 'session-key');
  try {
    const [key, { mode }] = await Promise.all([readFile(path), stat(path)]);
    if (key.length === lengthBytes && (mode & 0o077) === 0) return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const key = randomBytes(lengthBytes);
  const fresh = `${path}.${process.pid}`;
  const file = await open(fresh, 'w', 0o600);
  try {
    await file.writeFile(key);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, path);
  return key;
}
