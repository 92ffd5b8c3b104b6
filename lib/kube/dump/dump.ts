import type { Dump } from './read-dump.ts';

/**
 * Reads files and folders (cli.md › `--from`). Rejects with an InputError that names what cannot be used.
 * The YAML parser is loaded here and not before.
 */
export async function openDump(paths: readonly string[]): Promise<Dump> {
  const { readDump } = await import('./read-dump.ts');
  return readDump(paths);
}
