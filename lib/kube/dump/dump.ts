import type { Resource } from '#lib/spec/index.ts';
import type { Kube } from '../port.ts';

/**
 * A cluster as files tell it. Read-only but for dry runs. `covered` says whether the dump speaks of a kind at all: only then does a list
 * that comes back empty mean that there are none. `list` of a kind that is not covered rejects with `not-served`, `get` gives null.
 * Of a kind whose list was cut (one page of it, with a continue token) `list` rejects with `protocol` after what there is, and so does `get` of
 * what is not there.
 * Objects are handed out as they are: whoever reads them must not change them.
 */
export type Dump = Kube & { covered(resource: Resource): boolean };

/**
 * Reads files and folders (cli.md › `--from`). Rejects with an InputError that names what cannot be used.
 * The YAML parser is loaded here and not before.
 */
export async function openDump(paths: readonly string[]): Promise<Dump> {
  const { readDump } = await import('./read-dump.ts');
  return readDump(paths);
}
