import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inputFiles, inputsHash } from './inputs-hash.mjs';

let root: string;
const put = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'signalbox-hash-'));
  for (const path of ['app/page.tsx', 'components/a.tsx', 'lib/x/y.ts', 'public/icon.svg']) put(path, path);
  for (const path of inputFiles) put(path, path);
});
afterEach(() => rmSync(root, { recursive: true }));

test.each([
  ['app/page.tsx'],
  ['components/new.tsx'],
  ['lib/x/y.ts'],
  ['public/icon.svg'],
  ['next.config.js'],
  ['package-lock.json'],
])('another %s is another build', (path) => {
  const before = inputsHash(root);
  put(path, 'changed');
  expect(inputsHash(root)).not.toBe(before);
});

test.each([['lib/x/y.test.ts'], ['lib/x/testing/z.ts'], ['README.md'], ['node_modules/a/b.js']])(
  'another %s is not',
  (path) => {
    const before = inputsHash(root);
    put(path, 'changed');
    expect(inputsHash(root)).toBe(before);
  },
);

test('text that moves from one file to the next is another build', () => {
  put('app/a.ts', '12');
  put('app/b.ts', '3');
  const before = inputsHash(root);
  put('app/a.ts', '1');
  put('app/b.ts', '23');
  expect(inputsHash(root)).not.toBe(before);
});
