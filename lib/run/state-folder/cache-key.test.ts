import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { cacheKey } from './cache-key.ts';

let folder: string;

beforeEach(() => {
  folder = testFolder('cache-key');
});

test('one key for an installation, whoever comes first, that its owner alone can read', async () => {
  const keys = await Promise.all(Array.from({ length: 5 }, () => cacheKey(folder)));
  expect(new Set(keys.map((key) => Buffer.from(key ?? []).toString('hex'))).size).toBe(1);
  expect(keys[0]).toHaveLength(32);
  expect(await cacheKey(folder)).toEqual(keys[0]);
  expect(await readdir(folder)).toEqual(['cache-key']);
  expect((await stat(join(folder, 'cache-key'))).mode & 0o777).toBe(0o600);
});

test('none where the folder cannot hold one, or holds something else by that name', async () => {
  expect(await cacheKey(join(folder, 'nowhere'))).toBeNull();
  await writeFile(join(folder, 'cache-key'), 'short\n');
  expect(await cacheKey(folder)).toBeNull();
});
