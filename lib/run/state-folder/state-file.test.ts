import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { sweepParts } from './state-file.ts';
import { removeTraffic } from './traffic-files.ts';

const now = 1_800_000_000_000;

async function aFolder(under: string, files: Readonly<Record<string, number>>) {
  for (const [name, age] of Object.entries(files)) {
    await writeFile(join(under, name), '{');
    await utimes(join(under, name), (now - age) / 1000, (now - age) / 1000);
  }
}

test('what was left half written an hour ago is removed, and nothing else', async () => {
  const folder = testFolder('state-file');
  await aFolder(folder, {
    'a.json.12.0123abcd.part': 3_700_000,
    'b.json.12.0123abcd.part': 60_000,
    'c.part': 3_700_000,
    'd.json': 3_700_000,
  });
  await sweepParts(folder, now);
  expect((await readdir(folder)).sort()).toEqual(['b.json.12.0123abcd.part', 'c.part', 'd.json']);
  await sweepParts(join(folder, 'none'), now);
});

test('a sweep of what flows said of runs takes them too', async () => {
  const stateFolder = testFolder('state-file');
  const folder = join(stateFolder, 'traffic');
  await mkdir(folder);
  const age = now - (Date.now() - 7_200_000);
  await aFolder(folder, { 'lab.run-1.json': age, 'lab.run-1.json.7.0123abcd.part': age });
  await removeTraffic(stateFolder, () => false);
  expect(await readdir(folder)).toEqual(['lab.run-1.json']);
});
