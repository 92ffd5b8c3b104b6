import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '#lib/release/index.ts';

const requirements = join(import.meta.dirname, '..', 'tools', 'clickhouse', 'requirements.txt');

/** ClickHouse's engine cannot be had on this machine; the message says why. */
export class MissingChdb extends Error {}

/** The folder of the cache that holds it, there or not. */
export function chdbFolder(env: NodeJS.ProcessEnv = process.env): string {
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex');
  return join(cacheFolder(env), 'tools', `chdb-${hash.slice(0, 16)}`);
}

/**
 * Gives the folder with ClickHouse's engine: from the cache, else by Python's installer, of the version and with the hash that are pinned (200 MB).
 * Throws MissingChdb.
 */
export async function ensureChdb(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const folder = chdbFolder(env);
  if (existsSync(folder)) return folder;
  mkdirSync(join(folder, '..'), { recursive: true });
  const made = mkdtempSync(`${folder}.new-`);
  try {
    const how = ['--no-deps', '--require-hashes', '--only-binary=:all:', '--no-compile', '--quiet'];
    await promisify(execFile)('python3', ['-m', 'pip', 'install', ...how, '--target', made, '-r', requirements]);
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    // Another process was there first.
    if (existsSync(folder)) return folder;
    const { stderr = '', code } = error as { stderr?: string; code?: unknown };
    const because = stderr.trim().split('\n').at(-1) || String(code ?? error);
    throw new MissingChdb(`ClickHouse was not tried: python3 and pip are needed to install its engine (${because}).`, {
      cause: error,
    });
  }
  return folder;
}
