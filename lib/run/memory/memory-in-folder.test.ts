import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memoryInFolder } from './memory-in-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-memory-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('an installation keeps its key', async () => {
  const { sealer } = await memoryInFolder(folder);
  expect(sealer.key).toHaveLength(32);
  expect((await memoryInFolder(folder)).sealer).toEqual(sealer);
});

test.each(['no hex', '0123'])('%s is no key, and none is made of it', async (text) => {
  await writeFile(join(folder, 'run-key'), text);
  await expect(memoryInFolder(folder)).rejects.toThrow(/run-key is damaged/);
});
