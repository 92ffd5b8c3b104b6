import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { jsonText } from './json-text.ts';
import { markdownText } from './markdown-text.ts';
import { shellComment, shellLine, shellWord } from './shell-word.ts';
import { canary, rawCharacters } from './testing/canaries.ts';
import { xmlAttribute, xmlText } from './xml-text.ts';
import { yamlText } from './yaml-text.ts';

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...canary('x'), '\n', ' ', ':', '-', '"', '\\'),
    fc.string({ unit: 'binary', maxLength: 1 }),
  ),
});
const units = fc
  .array(fc.oneof(fc.nat(0xffff), fc.constantFrom(0xd800, 0xdc00, 0x1b, 0x9b)))
  .map((all) => String.fromCharCode(...all));
const someText = fc.oneof(hostile, units);
const data = fc.dictionary(someText, fc.oneof(someText, fc.array(someText), fc.dictionary(someText, someText)));
/** A literal cannot have the key `__proto__`. */
const tame = data.filter((one) => !JSON.stringify(one).includes('__proto__'));

test('JSON is the same data, and holds nothing raw', () => {
  fc.assert(
    fc.property(tame, fc.constantFrom(undefined, 2), (value, indent) => {
      const text = jsonText(value, indent);
      expect(rawCharacters(text)).toEqual([]);
      expect(JSON.parse(text)).toEqual(value);
    }),
  );
});

test('YAML is the same data, and holds nothing raw', () => {
  fc.assert(
    fc.property(tame, (value) => {
      const text = yamlText(value);
      expect(rawCharacters(text)).toEqual([]);
      expect(parse(text)).toEqual(value);
    }),
  );
});

test('YAML of ordinary data reads as before', () => {
  expect(yamlText({ a: 'b', text: 'one\ntwo\n', list: ['x'], port: '6443' })).toBe(
    'a: b\ntext: |\n  one\n  two\nlist:\n  - x\nport: "6443"\n',
  );
});

test.each(['sh', 'bash', 'dash'].filter(isThere))(
  '%s reads every word back as the same bytes, and its text holds nothing raw',
  (shell) => {
    const words = fc.sample(hostile, { numRuns: 300, seed: 9 }).map((word) => word.toWellFormed().replaceAll('\0', ''));
    const given = [
      canary('x'),
      '\u202e',
      '\n',
      '\u001b\n\n',
      "'\u0007'",
      '%s\u0085%',
      '\\\u009b\\',
      '\u00ad1',
      '--from=\u202e',
      '',
      '-n',
      ...words,
    ];
    const line = shellLine(...given);
    expect(rawCharacters(line)).toEqual([]);
    const output = execFileSync(shell, ['-c', `printf '%s\\0' ${line}`], { encoding: 'buffer', maxBuffer: 1e8 });
    expect(output.equals(Buffer.from(given.map((word) => `${word}\0`).join('')))).toBe(true);
  },
);

test.each([
  ['plain', 'plain'],
  ['a b', "'a b'"],
  ["it's", "'it'\\''s'"],
  ['', "''"],
  ['gnp\u202e', `"$(printf 'gnp\\342\\200\\256')"`],
  ['a\nb', `"$(printf 'a\\012b')"`],
  ['no\0thing', `"$(printf 'no\\\\u0000thing')"`],
])('the word %j is %s', (word, expected) => {
  expect(shellWord(word)).toBe(expected);
});

test('a comment is one line', () => {
  expect(shellComment(canary('x')).split(/[\n\r\u2028\u2029\u0085]/)).toHaveLength(1);
});

test('Markdown holds no markup, HTML, link or end of a cell of theirs', () => {
  const text = markdownText(canary('x'));
  expect(rawCharacters(text)).toEqual([]);
  expect(text).not.toMatch(/[\n<>@]|(?<!\\)(?:[[\]*`|~$]|:\/\/)|www\./);
  expect([
    markdownText('# x'),
    markdownText('1. x'),
    markdownText('- x'),
    markdownText('kube-proxy, snake_case, _x_'),
  ]).toEqual(['\\# x', '1\\. x', '\\- x', 'kube-proxy, snake_case, \\_x\\_']);
  expect(markdownText('a\u202eb \\* c')).toBe('a\\u202eb \\\\\\* c');
});

test('XML holds no control character and no markup of theirs', () => {
  for (const text of [xmlText(canary('x')), xmlAttribute(canary('x'))]) {
    expect(rawCharacters(text)).toEqual([]);
    expect(text).not.toMatch(/[<>"']/);
  }
  expect(xmlAttribute('a\nb')).toBe('a\\u000ab');
});

function isThere(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
}
