import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { temporaryFiles } from './temporary-files.mjs';

afterEach(() => vi.unstubAllEnvs());

test('other users pass through the folder and write nothing into it; it is removed with all that is in it; what ours left is told with its number', () => {
  vi.stubEnv('TMPDIR', testFolder('temporary-files'));
  const { folder, end } = temporaryFiles();
  expect(statSync(folder).mode & 0o7777).toBe(0o711);
  for (const name of ['signalbox-host-aB3dE6', 'signalbox-host-zzzzzz', 'signalbox-aB3dE6', 'org.chromium.Chromium.x'])
    mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'signalbox-host-aB3dE6', 'run-key'), '');
  expect(end()).toEqual(['signalbox', 'signalbox-host (2)']);
  expect(existsSync(folder)).toBe(false);
});

test('nothing is told where nothing was left', () => {
  vi.stubEnv('TMPDIR', testFolder('temporary-files'));
  expect(temporaryFiles().end()).toEqual([]);
});
