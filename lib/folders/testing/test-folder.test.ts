import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { testFolder } from './test-folder.ts';

const ofFile = testFolder('of-file');
let ofTest = '';
let isThereAfterTest: boolean | null = null;
afterEach(() => {
  isThereAfterTest ??= existsSync(ofTest);
});

test('a folder is there for its test and what is done after it', () => {
  ofTest = testFolder('of-test');
  writeFileSync(join(ofTest, 'a'), '');
  expect(existsSync(join(ofTest, 'a'))).toBe(true);
});

test('then it is removed with what is in it, and one of the whole file is still there', () => {
  expect(isThereAfterTest).toBe(true);
  expect(existsSync(ofTest)).toBe(false);
  expect(existsSync(ofFile)).toBe(true);
});
