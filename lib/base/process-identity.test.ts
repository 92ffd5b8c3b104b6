import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { identityOf, isAlive } from './process-identity.ts';

test('a process runs under its number, and under no other start', () => {
  const own = identityOf(process.pid);
  expect(own).toMatchObject({ pid: process.pid });
  expect(isAlive({ pid: process.pid })).toBe(true);
  expect(isAlive({ ...own, pid: process.pid })).toBe(true);
  if (own?.startedAt) expect(isAlive({ pid: process.pid, startedAt: `${own.startedAt}0` })).toBe(false);
});

test('one that has ended does not run', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  expect(isAlive({ pid: child.pid ?? 0 })).toBe(false);
});

test('one that may not be signalled runs', () => {
  expect(isAlive({ pid: 1 })).toBe(true);
});
