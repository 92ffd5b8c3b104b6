import { expect, test } from 'vitest';
import { capital, counted, duration, inList, sentence, thousands, withoutStop, withStop } from './words.ts';

test('numbers read as a colleague would say them', () => {
  expect([counted(1, 'node'), counted(5_000, 'node'), counted(2, 'policy', 'policies'), counted(0, 'node')]).toEqual([
    '1 node',
    '5,000 nodes',
    '2 policies',
    '0 nodes',
  ]);
  expect([thousands(999), thousands(1_000), thousands(1_234_567n), counted(1n, 'block')]).toEqual([
    '999',
    '1,000',
    '1,234,567',
    '1 block',
  ]);
});

test.each<[string[], number, string]>([
  [[], 3, ''],
  [['a'], 3, 'a'],
  [['a', 'b'], 3, 'a and b'],
  [['a', 'b', 'c'], 3, 'a, b and c'],
  [['a', 'b', 'c', 'd', 'e'], 3, 'a, b, c and 2 more'],
  [['a', 'b'], 1, 'a and 1 more'],
])('%j is told as %j, %d at the most', (names, most, words) => {
  expect(inList(names, most)).toBe(words);
});

test('the last may also be one of several', () => {
  expect(inList(['a', 'b', 'c'], 3, 'or')).toBe('a, b or c');
});

test('a phrase becomes a sentence, with one full stop', () => {
  expect(['it is there', 'Already one.', 'really?', 'said "so."', ''].map(sentence)).toEqual([
    'It is there.',
    'Already one.',
    'Really?',
    'Said "so."',
    '',
  ]);
  expect(capital('')).toBe('');
});

test.each([
  [0, '0 s'],
  [31, '31 s'],
  [59.6, '1 m'],
  [250, '4 m 10 s'],
  [180, '3 m'],
  [3_720, '1 h 2 m'],
  [7_230, '2 h'],
  [-1, '0 s'],
])('%d s are %s', (seconds, words) => {
  expect(duration(seconds)).toBe(words);
});

test.each([
  ['the file is gone', 'the file is gone.'],
  ['The file is gone.', 'The file is gone.'],
  ['Is it there?', 'Is it there?'],
  ['', ''],
])('the end of a sentence has one full stop: %j', (reason, end) => {
  expect(withStop(reason)).toBe(end);
  expect(withoutStop(end)).toBe(reason.replace('gone.', 'gone'));
});

test('a text of full stops that ends otherwise is looked through once', () => {
  const text = `${'. '.repeat(100_000)}x`;
  const began = process.cpuUsage();
  expect(withoutStop(text)).toBe(text);
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(1_000);
});
