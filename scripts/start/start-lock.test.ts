import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { alone } from './start-lock.mjs';

let folder: string;
let lock: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-start-'));
  lock = join(folder, '.next', 'start.lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('one at a time; the other waits and says so once', async () => {
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const both = [
    alone(
      lock,
      () => order.push('first waits'),
      () => first.promise.then(() => void order.push('first')),
    ),
    alone(
      lock,
      () => order.push('second waits'),
      async () => void order.push('second'),
    ),
  ];
  setTimeout(first.resolve, 700);
  await Promise.all(both);
  expect(order).toEqual(['second waits', 'first', 'second']);
  expect(existsSync(lock)).toBe(false);
});

test('a lock of a process that is gone counts for nothing', async () => {
  await alone(
    lock,
    () => {},
    async () => {},
  );
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  writeFileSync(lock, String(pid));
  expect(
    await alone(
      lock,
      () => {},
      async () => 'went on',
    ),
  ).toBe('went on');
});

test.each([
  ['empty, as a full disk leaves it', ''],
  ['of a process that has the number by chance', String(process.ppid)],
])(
  'a lock that nobody touches counts for nothing: %s',
  async (_what, contents) => {
    mkdirSync(dirname(lock));
    writeFileSync(lock, contents);
    const waited: string[] = [];
    expect(
      await alone(
        lock,
        () => waited.push('waited'),
        async () => 'went on',
        400,
      ),
    ).toBe('went on');
    expect(waited).toEqual(['waited']);
  },
  10_000,
);

test('is free again when the work fails', async () => {
  await expect(
    alone(
      lock,
      () => {},
      () => Promise.reject(new Error('no')),
    ),
  ).rejects.toThrow('no');
  expect(existsSync(lock)).toBe(false);
});
