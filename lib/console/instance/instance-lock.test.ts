import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { lockInstance } from './instance-lock.ts';

test('one at a time, and the next one as soon as the first has let go', () => {
  const folder = testFolder('lock');
  const first = lockInstance(folder);
  expect(first).not.toBeNull();
  expect(lockInstance(folder)).toBeNull();
  first?.release();
  const next = lockInstance(folder);
  expect(next).not.toBeNull();
  next?.release();
});

test('a file of something else is named, with what to do', () => {
  const folder = testFolder('lock');
  writeFileSync(join(folder, 'console.lock'), 'this is no lock, but somebody’s text. '.repeat(100));
  expect(() => lockInstance(folder)).toThrow(/console\.lock is not a lock file.*delete it/s);
});
