import { expect, test } from 'vitest';
import { type FileStanding, verificationNotice } from './file-standing.ts';

const files = (...standings: readonly (FileStanding | undefined)[]) =>
  standings.map((standing, index) => ({ file: `${'abc'[index]}.yaml`, standing }));

test.each<[(FileStanding | undefined)[], string | null]>([
  [['published', 'published'], null],
  [['published', 'own'], null],
  [[undefined, undefined], null],
  [[], null],
  [['unpinned', 'unpinned'], 'No published checksum is known for v3.31.9: its files are not verified.'],
  [['published', 'unpinned'], 'No published checksum is known for b.yaml of v3.31.9: it is not verified.'],
  [
    ['published', 'unpinned', 'unpinned'],
    'No published checksums are known for b.yaml and c.yaml of v3.31.9: they are not verified.',
  ],
  [['changed', 'published'], 'a.yaml is not the file published with v3.31.9: it was changed.'],
  [
    ['changed', 'changed', 'unpinned'],
    'a.yaml and b.yaml are not the files published with v3.31.9: they were changed. No published checksum is known for c.yaml of v3.31.9: it is not verified.',
  ],
])('%j: %s', (standings, notice) => {
  expect(verificationNotice('v3.31.9', files(...standings))).toBe(notice);
});
