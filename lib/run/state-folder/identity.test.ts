import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { ownIdentity } from './identity.ts';

let folder: string;
beforeEach(() => {
  folder = testFolder('identity');
});

const install = async () => (await ownIdentity(folder)).install;

test('processes that start at once are one installation', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, install));
  expect(new Set(all)).toEqual(new Set([(await readFile(join(folder, 'install-id'), 'utf8')).trim()]));
  expect(await readdir(folder)).toEqual(['install-id']);
  expect((await stat(join(folder, 'install-id'))).mode & 0o077).toBe(0);
});

test('an empty file, as a full disk once left it, is nobody', async () => {
  await writeFile(join(folder, 'install-id'), '');
  const id = await install();
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(await install()).toBe(id);
});
