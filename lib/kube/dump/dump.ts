import type { Dump } from './read-dump.ts';

/** Reads the files and folders of a dump (cli.md › `--from`). Loads the YAML parser. Rejects with an InputError that names the file that cannot be used. */
export async function openDump(paths: readonly string[]): Promise<Dump> {
  const { readDump } = await import('./read-dump.ts');
  return readDump(paths);
}
