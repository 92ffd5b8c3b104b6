import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockInstance } from './instance-lock.ts';

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('one at a time, and the next one as soon as the first has let go', () => {
  const folder = aFolder();
  const first = lockInstance(folder);
  expect(first).not.toBeNull();
  expect(lockInstance(folder)).toBeNull();
  first?.release();
  const next = lockInstance(folder);
  expect(next).not.toBeNull();
  next?.release();
});

test('a file of something else is named, with what to do', () => {
  const folder = aFolder();
  writeFileSync(join(folder, 'console.lock'), 'this is no lock, but somebody’s text. '.repeat(100));
  expect(() => lockInstance(folder)).toThrow(/console\.lock is not a lock file.*delete it/s);
});
