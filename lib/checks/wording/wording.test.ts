import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainLine, plainValue } from './plain.ts';
import { listed, quoted, sentence, shareOf } from './sentences.ts';

test.each([
  ['a\nb\tc', 'a b c'],
  ['\u001b[31mred\u001b[0m', '\\u001b[31mred\\u001b[0m'],
  ['user\u202egnp.exe', 'user\\u202egnp.exe'],
  ['a\u200bb\u0000c', 'a\\u200bb\\u0000c'],
  ['<script>', '<script>'],
  ['日本語 ü', '日本語 ü'],
])('%j is shown as %j', (text, expected) => {
  expect(plainLine(text)).toBe(expected);
});

test('text of a cluster becomes one line without control characters, of limited length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const shown = plainLine(text, 50);
      expect(shown).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
      expect(shown.length).toBeLessThanOrEqual(51);
      expect(shown.isWellFormed()).toBe(true);
    }),
  );
});

test('values are cut at a depth and a length', () => {
  let nested: unknown = 'x';
  for (let depth = 0; depth < 1_000; depth++) nested = { nested };
  expect(JSON.stringify(plainValue(nested)).length).toBeLessThan(200);
  expect((plainValue(Array.from({ length: 10_000 }, () => 1)) as number[]).length).toBe(100);
});

test('numbers and lists read as a colleague would say them', () => {
  expect([shareOf(2, 5_000, 'node'), shareOf(1, 1, 'node')]).toEqual(['2 of 5,000 nodes', 'The only node']);
  expect([listed([]), listed(['a']), listed(['a', 'b']), listed(['a', 'b', 'c', 'd', 'e'])]).toEqual([
    'none',
    'a',
    'a and b',
    'a, b, c and 2 more',
  ]);
  expect([quoted('x'), quoted(false), quoted('a\u0007"')]).toEqual(['"x"', '"false"', '"a\\u0007""']);
  expect(sentence('it is\nthere')).toBe('It is there.');
});
