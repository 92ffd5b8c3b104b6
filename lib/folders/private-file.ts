import { open } from 'node:fs/promises';

/**
 * Writes a file that only its owner reads: mode 0600, which a file that exists gets before the first byte. What is no file (a pipe, `/dev/stdout`) is
 * only written. Returns why others may read it still: it is somebody else's, or on a file system without modes; null: nobody does. Rejects with the
 * error of the system.
 */
export async function writePrivateFile(path: string, text: string): Promise<string | null> {
  const file = await open(path, 'w', 0o600);
  try {
    const isFile = (await file.stat()).isFile();
    const kept = isFile
      ? await file.chmod(0o600).then(
          () => null,
          ({ message }: Error) => message,
        )
      : null;
    await file.writeFile(text);
    return kept;
  } finally {
    await file.close();
  }
}
