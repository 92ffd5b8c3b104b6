import { Readable } from 'node:stream';
import { readArchive } from './archive.ts';
import type { NamedBytes } from './release-source.ts';

const ocpFile = /^(?:.*\/)?ocp\/([^/]+\.ya?ml)$/;

/** OpenShift's bundle from its `ocp.tgz`, whose files lie in a folder `ocp`. In the order of their names, as `oc apply -f` takes them. */
export async function readOcpArchive(
  where: string,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<readonly NamedBytes[]> {
  const files = await readArchive(where, Readable.from([Buffer.from(bytes)]), (path) => ocpFile.test(path), signal);
  return ocpFiles(files);
}

/** The files of the bundle among those of an archive. */
export function ocpFiles(files: ReadonlyMap<string, Uint8Array>): readonly NamedBytes[] {
  return [...files]
    .flatMap(([path, bytes]) => {
      const name = ocpFile.exec(path)?.[1];
      return name === undefined ? [] : [{ name, bytes }];
    })
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}
