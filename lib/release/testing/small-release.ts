import { gzipSync } from 'node:zlib';
import { type Header, pack } from 'tar-stream';
import { releaseFiles } from '#lib/spec/index.ts';

/**
 * Files of a release that hold what every release must and nothing more, by name; small, so that they are parsed at once. `v3.99.1` is no
 * release that is known here, so that no checksum of it is pinned.
 */
export function smallRelease(operator = 'v1.99.1'): Readonly<Record<string, string>> {
  const files: Record<string, string[]> = {};
  for (const { file, holds, releases, variant = 'Calico' } of releaseFiles) {
    if (releases?.before !== undefined || variant !== 'Calico') continue;
    const documents = holds.flatMap(({ group, kind, namespace, names }) =>
      names.map((name) =>
        [
          `apiVersion: ${group === '' ? 'v1' : `${group}/v1`}`,
          `kind: ${kind}`,
          'metadata:',
          `  name: ${name}`,
          ...(namespace === undefined ? [] : [`  namespace: ${namespace}`]),
          ...(kind === 'Deployment' ? operatorSpec(operator) : []),
        ].join('\n'),
      ),
    );
    files[file] = [...(files[file] ?? []), ...documents];
  }
  return Object.fromEntries(Object.entries(files).map(([file, documents]) => [file, `${documents.join('\n---\n')}\n`]));
}

const operatorSpec = (version: string) => [
  'spec:',
  '  template:',
  '    spec:',
  '      containers:',
  '        - name: tigera-operator',
  `          image: quay.io/tigera/operator:${version}`,
];

export type Entry = Partial<Header> & { readonly name: string; readonly text?: string };

/** A gzipped tar of these entries, in their order. */
export async function tgz(entries: readonly Entry[]): Promise<Buffer> {
  const tar = pack();
  for (const { text = '', ...header } of entries) tar.entry(header, text);
  tar.finalize();
  const pieces: Uint8Array[] = [];
  for await (const piece of tar) if (piece instanceof Uint8Array) pieces.push(piece);
  return gzipSync(Buffer.concat(pieces));
}
