import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const rows = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| word '))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, word = '', meaning = '', where = '']) => ({ word, meaning, where }));

test('the glossary has at most sixty words, each once and with a meaning', () => {
  const words = rows.map(({ word }) => word);
  expect(words.length).toBeGreaterThan(40);
  expect(words.length).toBeLessThanOrEqual(60);
  expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
  expect(rows.filter(({ meaning }) => meaning === '')).toEqual([]);
});

test.each(rows)('$word is decided where the glossary says', ({ where }) => {
  const paths = [...where.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
  expect(paths).not.toEqual([]);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
