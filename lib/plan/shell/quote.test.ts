import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { line, quote } from './quote.ts';
import { jsonPath } from './resource-argument.ts';

test.each([
  ['plain', 'plain'],
  ['a b', "'a b'"],
  ["it's", "'it'\\''s'"],
  ['$(reboot)', "'$(reboot)'"],
  ['', "''"],
  ['~root', "'~root'"],
])('%s → %s', (word, quoted) => {
  expect(quote(word)).toBe(quoted);
});

test('a real shell reads every word back as it was', () => {
  const words = fc.sample(
    fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
    { numRuns: 200, seed: 7 },
  );
  const given = [...words, '`id`', '$HOME', '"', '\\', '\n', '*', '-n', '!!', '#'];
  const said = execFileSync('sh', ['-c', `printf '%s\\0' ${line(...given)}`], { encoding: 'buffer' });
  expect(said.equals(Buffer.from(given.map((word) => `${word}\0`).join('')))).toBe(true);
});

test('dots and slashes in a key are escaped for JSONPath', () => {
  expect(jsonPath(['metadata', 'annotations', 'operator.tigera.io/bpfEnabled'])).toBe(
    '{.metadata.annotations.operator\\.tigera\\.io\\/bpfEnabled}',
  );
});
