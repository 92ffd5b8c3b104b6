import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/** Writes a whole file or nothing: a reader, and a process that starts after a kill, never sees half of it. Mode 0600. */
export async function writeStateFile(path: string, data: unknown): Promise<void> {
  const whole = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.part`;
  try {
    const file = await open(whole, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(data, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(whole, path);
  } catch (error) {
    await rm(whole, { force: true });
    throw error;
  }
}
