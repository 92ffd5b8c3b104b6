import { chmodSync, chownSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { leaveNode } from '../agent/leave-node.ts';
import { rootRemedy } from './bpf-error.ts';
import { holdPins } from './hold-pins.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end();
});

function pinsFolder(): string {
  const folder = testFolder('pins');
  return join(folder, 'signalbox');
}

test('who finds the pins held is refused by the name of the holder, and not when they are let go', async () => {
  const pins = pinsFolder();
  const letGo = holdPins(pins, { make: true });
  expect(() => holdPins(pins, { make: true })).toThrow(`in use by process ${process.pid}`);
  await expect(leaveNode(pins, null)).rejects.toThrow(`in use by process ${process.pid}`);
  expect(existsSync(pins)).toBe(true);
  letGo?.();
  expect(await leaveNode(pins, null)).toBe(0);
  expect(existsSync(pins)).toBe(false);
  expect(holdPins(pins, { make: false })).toBe(null);
});

test('a folder that others may write to is not used', () => {
  const pins = pinsFolder();
  mkdirSync(pins);
  chmodSync(pins, 0o1777);
  expect(() => holdPins(pins, { make: true })).toThrow(`Others may write to ${pins} (mode 777).`);
});

test.runIf(process.getuid?.() === 0)('a folder that another user made is not used', () => {
  const pins = pinsFolder();
  mkdirSync(pins, { mode: 0o700 });
  chownSync(pins, 65_534, 65_534);
  expect(() => holdPins(pins, { make: true })).toThrow('belongs to user 65534');
});

test('a link in the place of the folder is not followed', () => {
  const pins = pinsFolder();
  mkdirSync(`${pins}-elsewhere`, { mode: 0o700 });
  symlinkSync(`${pins}-elsewhere`, pins);
  expect(() => holdPins(pins, { make: true })).toThrow('--pins must name a folder, not a file or a link');
});

test('who is not root is told to be, and root is not', () => {
  expect(rootRemedy(1000)).toBe(' Run this as root.');
  expect(rootRemedy(0)).toBe('');
});

test.runIf(process.getuid?.() === 0)('a user who may not use the folder is told to be root', () => {
  const pins = pinsFolder();
  mkdirSync(pins, { mode: 0o700 });
  process.seteuid?.(65_534);
  try {
    for (const make of [true, false])
      expect(() => holdPins(pins, { make })).toThrow(
        /^You may not use the folder of pins \(EACCES.*\)\. Run this as root\.$/,
      );
  } finally {
    process.seteuid?.(0);
  }
});
