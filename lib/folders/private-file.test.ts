import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { writePrivateFile } from './private-file.ts';

const modeOf = (path: string) => statSync(path).mode & 0o777;

test.each([
  ['new', null],
  ['one that everybody could read', 0o644],
  ['one that a group could write', 0o660],
  ['private already', 0o600],
])('only its owner reads the file: %s', async (_what, mode) => {
  const path = join(testFolder('private'), 'plan.json');
  if (mode !== null) {
    writeFileSync(path, 'an earlier and longer text');
    chmodSync(path, mode);
  }
  expect(await writePrivateFile(path, 'a plan\n')).toBeNull();
  expect(modeOf(path)).toBe(0o600);
  expect(readFileSync(path, 'utf8')).toBe('a plan\n');
});

test('a link stays a link, and the file behind it becomes private', async () => {
  const folder = testFolder('private');
  const [link, path] = [join(folder, 'link.json'), join(folder, 'plan.json')];
  writeFileSync(path, '', { mode: 0o644 });
  symlinkSync(path, link);
  await writePrivateFile(link, 'a plan\n');
  expect(modeOf(path)).toBe(0o600);
  expect(readFileSync(link, 'utf8')).toBe('a plan\n');
});

test('what is no file keeps its mode: a pipe, /dev/stdout', async () => {
  const pipe = join(testFolder('private'), 'pipe');
  execFileSync('mkfifo', ['-m', '644', pipe]);
  const [read, others] = await Promise.all([readFile(pipe, 'utf8'), writePrivateFile(pipe, 'a plan\n')]);
  expect([read, others, modeOf(pipe)]).toEqual(['a plan\n', null, 0o644]);
});
