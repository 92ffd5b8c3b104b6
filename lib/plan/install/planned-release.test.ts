import { expect, test } from 'vitest';
import type { FileStanding, Manifest, ReleaseContents } from '#lib/spec/index.ts';
import { plannedRelease } from './planned-release.ts';

const release = (...standings: readonly (FileStanding | undefined)[]): ReleaseContents => ({
  version: 'v3.31.9',
  operator: 'v1.40.20',
  source: 'https://mirror.example/calico',
  manifests: Object.fromEntries(
    standings.map((standing, index): [string, Manifest] => {
      const file = `file-${index}.yaml`;
      const manifest = { version: 'v3.31.9', file, sha256: '0'.repeat(64), objects: [] };
      return [file, standing === undefined ? manifest : { ...manifest, standing }];
    }),
  ),
});

test('what a plan says of its files', () => {
  expect(plannedRelease(release('unpinned', 'unpinned'))).toMatchObject({
    release: {
      version: 'v3.31.9',
      files: [{ file: 'file-0.yaml', standing: 'unpinned' }, { standing: 'unpinned' }],
      notice: 'No published checksum is known for v3.31.9: its files are not verified.',
    },
  });
  expect(plannedRelease(release('published', 'own'))).toMatchObject({ release: { notice: null } });
  expect(plannedRelease(release('changed', 'published')).release?.notice).toContain(
    'file-0.yaml is not the file published',
  );
});

test('a sandbox makes its files itself, and other goals have none', () => {
  expect(plannedRelease(release(undefined, undefined))).toEqual({});
  expect(plannedRelease(release(undefined, 'own'))).toEqual({});
  expect(plannedRelease(null)).toEqual({});
});
