import { randomBytes } from 'node:crypto';
import { keptSecret } from './kept-secret.ts';

const lengthBytes = 32;

/** The key that signs session cookies: 32 random bytes, in the state folder, so that a session survives the console. */
export function signingKey(folder: string): Promise<Buffer> {
  return keptSecret(
    folder,
    'session-key',
    ({ length }) => length === lengthBytes,
    () => randomBytes(lengthBytes),
  );
}
