import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canary, rawCharacters } from './testing/canaries.ts';
import { isNameAsShown, isPlain, visible, visibleLine } from './visible.ts';
import { visibleData } from './visible-data.ts';

const anyText = fc.string({
  unit: fc.oneof(fc.constantFrom(...canary('x')), fc.string({ unit: 'binary', maxLength: 1 })),
});
/** Includes lone surrogates, which no character generator makes. */
const anyUnits = fc
  .array(fc.oneof(fc.nat(0xffff), fc.constantFrom(0x1b, 0x9b, 0x202e, 0xd800, 0xdfff, 0x0a)))
  .map((units) => String.fromCharCode(...units));

test.each([
  ['\u001b[31mred', '\\u001b[31mred'],
  ['\u009b2J', '\\u009b2J'],
  ['gnp.\u202eexe', 'gnp.\\u202eexe'],
  ['a\u200bb\u00adc\ufeff', 'a\\u200bb\\u00adc\\ufeff'],
  ['tag\u{e0041}', 'tag\\u{e0041}'],
  ['half\ud800', 'half\\ud800'],
  ['\u2066a\u2069\u061c\u200e\u200f', '\\u2066a\\u2069\\u061c\\u200e\\u200f'],
  ['a\u2028b\u2029c\u0085', 'a\\u2028b\\u2029c\\u0085'],
  ['\u0000\u007f', '\\u0000\\u007f'],
  ['日本語 ü é — “x” 🙂', '日本語 ü é — “x” 🙂'],
  ['a\tb\nc', 'a\\u0009b\\u000ac'],
])('%j in a line is shown as %s', (text, expected) => {
  expect(visibleLine(text)).toBe(expected);
});

test('lines and tabs stay where they are part of the text', () => {
  expect(visible('a\tb\n\u001bc\r\n')).toBe('a\tb\n\\u001bc\\u000d\n');
});

test('no unseen character is left, and visible text stays the same when it is escaped again', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, anyUnits), (text) => {
      expect(rawCharacters(visible(text))).toEqual([]);
      expect(visibleLine(text)).not.toMatch(/[\n\t\p{Cc}\p{Cf}\p{Cs}]/u);
      expect(visible(text).isWellFormed()).toBe(true);
      expect(isPlain(visible(text))).toBe(true);
      expect(visible(visible(text))).toBe(visible(text));
      expect(visibleLine(visibleLine(text))).toBe(visibleLine(text));
    }),
  );
});

test('in data every text and key is shown, and the rest is the same object', () => {
  const plain = { a: ['x', 1, null, true], b: { c: 'd' } };
  const when = new Date();
  expect(visibleData(plain)).toBe(plain);
  const data = { plain, 'k\u202e': [canary('x'), 7, when], none: undefined };
  const cleaned = visibleData(data);
  expect(cleaned.plain).toBe(plain);
  expect(Object.keys(cleaned)).toEqual(['plain', 'k\\u202e', 'none']);
  expect(rawCharacters(JSON.stringify(cleaned))).toEqual([]);
  expect(JSON.stringify(cleaned)).not.toMatch(/(?<!\\)\\u00[01]\w/);
  expect(visibleData(data)).toBe(cleaned);
});

test('a name is confirmed by itself or as it is shown', () => {
  expect(isNameAsShown('prod', 'prod')).toBe(true);
  expect(isNameAsShown('prod\\u202e', 'prod\u202e')).toBe(true);
  expect(isNameAsShown('prod', 'prod\u202e')).toBe(false);
});

test('5,000 nodes are looked through in well under a second', () => {
  const node = {
    osImage: 'Ubuntu 22.04.4 LTS',
    kernel: '5.15.0-105-generic',
    addresses: ['10.0.0.1'],
    labels: { a: 'b' },
  };
  const nodes = Array.from({ length: 5_000 }, (_, index) => ({ ...structuredClone(node), name: `worker-${index}` }));
  const before = process.cpuUsage();
  expect(visibleData(nodes)).toBe(nodes);
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
});
