import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { releaseDefinitions } from './release-definitions.ts';
import { schemaFingerprint } from './schema-fingerprint.ts';

const definition = z.looseObject({
  kind: z.literal('CustomResourceDefinition'),
  metadata: z.looseObject({ name: z.string() }),
});
const folder = process.env.SIGNALBOX_CALICO_DIR ?? '';

function fingerprintsIn(release: string, file: string): Record<string, string | null> {
  const documents = parseAllDocuments(readFileSync(join(folder, release, file), 'utf8'));
  return Object.fromEntries(
    documents.flatMap((document) => {
      const parsed = definition.safeParse(document.toJS());
      return parsed.success ? [[parsed.data.metadata.name, schemaFingerprint(parsed.data)]] : [];
    }),
  );
}

test.skipIf(folder === '').each(releaseDefinitions.map((row) => [row.release, row] as const))(
  '%s: the table is what the published file holds, and the manifests hold the same',
  (release, { fingerprints, source }) => {
    expect(fingerprintsIn(release, source.split(' ')[0] ?? '')).toEqual(fingerprints);
    const manifest = 'calico.yaml';
    if (existsSync(join(folder, release, manifest)))
      expect(fingerprints).toMatchObject(fingerprintsIn(release, manifest));
  },
);

const version = (more: object) => ({
  spec: { versions: [{ name: 'v1', served: true, storage: true, schema: { a: 1, b: [1, 2] }, ...more }] },
});

test('order and what the API server adds do not count; schema, names of versions and what is served do', () => {
  const one = schemaFingerprint(version({}));
  const turned = {
    spec: { conversion: { strategy: 'None' }, ...version({ schema: { b: [1, 2], a: 1 } }).spec },
    status: {},
  };
  expect(schemaFingerprint(turned)).toBe(one);
  const others = [{ schema: { a: 1, b: [2, 1] } }, { served: false }, { name: 'v2' }, { subresources: { status: {} } }];
  expect(new Set([one, ...others.map((more) => schemaFingerprint(version(more)))]).size).toBe(5);
});

test.each([{}, { spec: null }, { spec: { versions: {} } }, { spec: { versions: [] } }])(
  '%j is no definition',
  (object) => {
    expect(schemaFingerprint(object)).toBeNull();
  },
);
