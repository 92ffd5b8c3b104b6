import { chmod, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { ownName } from './own-name.ts';

let folder: string;
beforeEach(() => {
  folder = testFolder('name');
});

test('is a name under localhost with 120 random bits, and stays', async () => {
  const name = await ownName(folder);
  expect(name).toMatch(/^[a-z2-7]{24}\.localhost$/);
  expect(await ownName(folder)).toBe(name);
});

test('is another in another state folder', async () => {
  const other = testFolder('name');
  expect(await ownName(other)).not.toBe(await ownName(folder));
});

test('is for its user only', async () => {
  await ownName(folder);
  expect((await stat(join(folder, 'host-name'))).mode & 0o777).toBe(0o600);
});

test.each([
  ['others could read it', (path: string) => chmod(path, 0o644)],
  ['it is no name of ours', (path: string) => writeFile(path, 'evil.example')],
  ['the disk was full', (path: string) => writeFile(path, '')],
])('is replaced where %s', async (_, spoil) => {
  const name = await ownName(folder);
  await spoil(join(folder, 'host-name'));
  const next = await ownName(folder);
  expect(next).not.toBe(name);
  expect(next).toMatch(/^[a-z2-7]{24}\.localhost$/);
});
