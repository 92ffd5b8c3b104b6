import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** What is said to people in one word everywhere. Flags, ids, fields of JSON and names in the code are a contract, and stay as they are. */
const oneWord: readonly { was: RegExp; say: string }[] = [
  { was: /(?<!--)\backnowledg(?:e|es|ed|ing|ement)\b(?!:)/i, say: 'accept' },
  // `waiting for Whether …` is no sentence.
  { was: /^['"`>]Whether\b/, say: 'what is so' },
];

const root = join(import.meta.dirname, '../..');
const files = ['lib', 'app', 'components']
  .flatMap((top) => readdirSync(join(root, top), { recursive: true, encoding: 'utf8' }).map((name) => join(top, name)))
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));

/** Texts are what has a blank in it: between quotes, or between tags. */
const texts = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|>[^<>{}=;()]*</g;
const inserted = /\$\{[^{}]*\}/g;

/** Each text with a word that is no longer said, and the word in its place. */
function outdated(source: string): string[] {
  const code = source.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  return [...code.matchAll(texts)]
    .map(([text]) => text.replace(inserted, '…'))
    .filter((text) => / /.test(text))
    .flatMap((text) => oneWord.filter(({ was }) => was.test(text)).map(({ say }) => `say ${say}: ${text}`));
}

test('one word for one thing', () => {
  expect(files.length).toBeGreaterThan(100);
  expect(
    files.flatMap((file) => outdated(readFileSync(join(root, file), 'utf8')).map((one) => `${file}: ${one}`)),
  ).toEqual([]);
});

test.each([
  ["steps: ['Acknowledge this when it is done.']", 1],
  ['<p>You acknowledge this risk</p>', 1],
  ["'or accept it: --acknowledge ID=REASON'", 0],
  ["'acknowledge: this id is no check'", 0],
  ["unknown('Whether services answer was not measured.')", 1],
  ["{ what: 'acknowledged' }", 0],
  ["// acknowledge 'this or that'", 0],
])('%s', (source, found) => {
  expect(outdated(source)).toHaveLength(found);
});
