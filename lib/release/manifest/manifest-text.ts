import type { ManifestRef } from '#lib/spec/index.ts';
import { cacheOf } from '../cache/cache.ts';
import { readContent } from '../cache/content-store.ts';

/** The bytes of a manifest that was opened, as published; null if they are no longer cached. */
export async function manifestText(
  { sha256 }: ManifestRef,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  const bytes = await readContent(cacheOf({ env }), sha256);
  return bytes === null ? null : new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}
