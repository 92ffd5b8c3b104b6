import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { basename, dirname, join, relative } from 'node:path';
import { type Cache, discard } from './cache.ts';
import { keep, readFileOrNull } from './kept-files.ts';

/**
 * Stores a cache file that no published checksum verifies: its first line is an HMAC-SHA256 (RFC 2104) over its path and content, with this installation's key.
 * Files of other installations have other names, so each discards only its own.
 */
export async function keepSealed(cache: Cache, path: string, body: Uint8Array): Promise<void> {
  if (cache.key === null) return;
  const mac = macOf(cache, cache.key, path, body);
  await keep(sealedPath(cache.key, path), Buffer.concat([Buffer.from(`${mac}\n`), body]));
}

/** The content; null if there is no file that this installation wrote. */
export async function readSealed(cache: Cache, path: string): Promise<Buffer | null> {
  if (cache.key === null) return null;
  const sealed = sealedPath(cache.key, path);
  const bytes = await readFileOrNull(sealed);
  if (bytes === null) return null;
  const end = bytes.indexOf(10);
  const body = bytes.subarray(end + 1);
  const [found, right] = [bytes.subarray(0, Math.max(end, 0)), Buffer.from(macOf(cache, cache.key, path, body))];
  if (found.length === right.length && timingSafeEqual(found, right)) return body;
  await discard(cache, sealed);
  return null;
}

/** The path for this installation; the name does not reveal the key. */
function sealedPath(key: Uint8Array, path: string): string {
  const owner = createHash('sha256').update('signalbox cache\n').update(key).digest('hex').slice(0, 12);
  return join(dirname(path), `${basename(path)}.${owner}`);
}

function macOf({ folder }: Cache, key: Uint8Array, path: string, body: Uint8Array): string {
  return createHmac('sha256', key)
    .update(`signalbox cache 1\n${relative(folder, path)}\n`)
    .update(body)
    .digest('hex');
}
