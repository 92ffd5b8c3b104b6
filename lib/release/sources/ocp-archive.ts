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

/**
 * Manifests of the bundle by their names. What is for upgrades of an installation that loads no resources describes the same Deployment once
 * more, and in some releases an older operator (calico.md §1.2): it is passed over.
 */
export function isOcpFile(name: string): boolean {
  return /\.ya?ml$/.test(name) && !name.includes('no-resource-loading');
}

/** The files of the bundle among those of an archive. */
export function ocpFiles(files: ReadonlyMap<string, Uint8Array>): readonly NamedBytes[] {
  return [...files]
    .flatMap(([path, bytes]) => {
      const name = ocpFile.exec(path)?.[1];
      return name === undefined || !isOcpFile(name) ? [] : [{ name, bytes }];
    })
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}
