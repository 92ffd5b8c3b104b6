import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { basename, dirname, join, relative } from 'node:path';
import { type Cache, discard } from './cache.ts';
import { keep, readFileOrNull } from './kept-files.ts';

/**
 * Files of the cache that no published checksum proves: their first line is an HMAC-SHA256 (RFC 2104) over where they lie and what they hold, with
 * the key of this installation. Another installation's files bear another name, so each throws away only its own.
 */
export async function keepSealed(cache: Cache, path: string, body: Uint8Array): Promise<void> {
  if (cache.key === null) return;
  const mac = macOf(cache, cache.key, path, body);
  await keep(sealedPath(cache.key, path), Buffer.concat([Buffer.from(`${mac}\n`), body]));
}

/** Null where there is none, or none that this installation wrote. */
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

/** The key itself is not told by its name. */
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
