import { appendFile, readFile, rename, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { ndjsonFile } from './ndjson-file.ts';

const lost = (until: number) => [{ type: 'lost' as const, since: 0, until, because: '' }];

async function aFile() {
  const path = join(testFolder('ndjson'), 'flows.ndjson');
  const sink = ndjsonFile(path, (record) => JSON.stringify(record.type === 'lost' ? record.until : null));
  return { path, put: (until: number) => sink.take(lost(until)), text: () => readFile(path, 'utf8') };
}

test('lines come at the end of what is there, in a file that is its owner’s alone', async () => {
  const { put, path, text } = await aFile();
  await put(1);
  await put(2);
  expect(await text()).toBe('1\n2\n');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test.each([
  ['after lines', '1\n', '{"cut'],
  ['alone in it', '', '{"cut'],
  ['longer than what is looked at at once', '1\n', 'x'.repeat(200_000)],
])('a line that was cut off %s is removed before the next', async (_, whole, cut) => {
  const { put, path, text } = await aFile();
  await writeFile(path, whole + cut);
  await put(2);
  expect(await text()).toBe(`${whole}2\n`);
});

test('a file that is moved away or emptied meanwhile is followed', async () => {
  const { put, path, text } = await aFile();
  await put(1);
  await rename(path, `${path}.1`);
  await put(2);
  expect(await text()).toBe('2\n');
  await truncate(path);
  await put(3);
  expect(await text()).toBe('3\n');
  await appendFile(path, '4\n');
  await put(5);
  expect(await text()).toBe('3\n4\n5\n');
});

test('a folder that is not there is said, and nobody waits for it', async () => {
  const sink = ndjsonFile(join(tmpdir(), 'no-such-folder-of-ours', 'x'), () => '');
  await expect(sink.take(lost(1))).rejects.toMatchObject({
    kind: 'ends',
    message: expect.stringContaining('there is no such folder'),
  });
});

test('a full disk is waited for', async () => {
  await expect(ndjsonFile('/dev/full', () => 'x').take(lost(1))).rejects.toMatchObject({
    kind: 'waits',
    message: expect.stringContaining('the disk is full'),
  });
});
