import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { memoryInFolder } from './memory-in-folder.ts';

let folder: string;
beforeEach(() => {
  folder = testFolder('memory');
});

test('an installation keeps its key', async () => {
  const { sealer } = await memoryInFolder(folder);
  expect(sealer.key).toHaveLength(32);
  expect((await memoryInFolder(folder)).sealer).toEqual(sealer);
});

test.each(['no hex', '0123'])('%s is no key, and none is made of it', async (text) => {
  await writeFile(join(folder, 'run-key'), text);
  await expect(memoryInFolder(folder)).rejects.toThrow(/run-key is damaged/);
});

test('with a run goes what flows said of it, and nothing of another', async () => {
  const traffic = join(folder, 'traffic');
  await mkdir(traffic);
  for (const name of ['lab-1.run-1.json', 'lab-2.run-1.json', 'lab-1.run-11.json', 'lab-1.other-run-1.json'])
    await writeFile(join(traffic, name), '{}');
  await (await memoryInFolder(folder)).forget('run-1');
  expect((await readdir(traffic)).sort()).toEqual(['lab-1.other-run-1.json', 'lab-1.run-11.json']);
});
