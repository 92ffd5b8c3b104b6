import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { openLog } from './console-log.ts';

let folder: string;
beforeEach(() => {
  folder = testFolder('log');
});

const open = (limitBytes?: number) => openLog(folder, () => new Date('2026-11-20T08:00:00Z'), limitBytes);
const text = () => readFileSync(join(folder, 'console.log'), 'utf8');

test('an entry is one: what was logged cannot pass for another', () => {
  open().write('refused GET /\n2026-11-20T08:00:00.000Z all is well');
  expect(text()).toBe('2026-11-20T08:00:00.000Z refused GET /\n    2026-11-20T08:00:00.000Z all is well\n');
});

test('an error is written with its causes, without what hangs on it', () => {
  const cause = Object.assign(new Error('ECONNREFUSED'), { headers: { cookie: 'x=1' } });
  open().write('it failed', new Error('no answer', { cause }));
  expect(text()).toContain('Error: no answer');
  expect(text()).toContain('because: Error: ECONNREFUSED');
  expect(text()).not.toContain('x=1');
});

test('secrets are taken out of lines and errors', () => {
  open().write('Bearer abcdefgh', new Error('token=abcdefgh'));
  expect(text()).not.toContain('abcdefgh');
});

test('it is for its user only, also where it was not', () => {
  writeFileSync(join(folder, 'console.log'), '', { mode: 0o644 });
  open().write('x');
  expect(statSync(join(folder, 'console.log')).mode & 0o777).toBe(0o600);
});

test('it turns over, and keeps three older ones', () => {
  const log = open(100);
  for (let number = 0; number < 20; number++) log.write(`line ${number} ${'x'.repeat(40)}`);
  expect(readdirSync(folder).sort()).toEqual(['console.log', 'console.log.1', 'console.log.2', 'console.log.3']);
  expect(text()).toContain('line 19');
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(100);
});

test('a log that cannot be written stops nothing', () => {
  const log = open();
  rmSync(folder, { recursive: true });
  expect(() => log.write('x')).not.toThrow();
});
