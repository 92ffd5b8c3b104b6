import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf } from '#lib/base/message-of.ts';
import { ReleaseError } from '../release-error.ts';

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export async function readFileOrNull(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw diskError(path, 'read', error);
  }
}

/** Writes a file atomically, also with concurrent processes and a full disk. */
export async function keep(path: string, bytes: Uint8Array): Promise<void> {
  const part = `${path}.${randomUUID()}.new`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(part, bytes, { flush: true });
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw diskError(path, 'written', error);
  }
}

/** Ignores disk errors of the cache: without it, files are read from their source again. */
export async function ifPossible(keeping: () => Promise<void>): Promise<void> {
  try {
    await keeping();
  } catch (error) {
    if (!(error instanceof ReleaseError) || error.code !== 'release.disk') throw error;
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  EISDIR: 'it is a folder',
};

/** A disk error as a sentence, which says how to move the cache. */
export function diskError(path: string, verb: 'read' | 'written', error: unknown): ReleaseError {
  if (error instanceof ReleaseError) return error;
  const because = reasons[codeOf(error)] ?? messageOf(error);
  return new ReleaseError(
    'release.disk',
    `${path} cannot be ${verb}: ${because}. Set SIGNALBOX_CACHE to another folder for downloads.`,
    error,
  );
}
