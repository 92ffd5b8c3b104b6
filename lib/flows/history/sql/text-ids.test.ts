import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { TextIds } from './text-ids.ts';

test('an id is 64 bits of a hash, the same each time, also after all was forgotten', () => {
  const ids = new TextIds(20);
  const expected = (text: string) => createHash('sha1').update(text).digest().readBigUInt64LE(0);
  const texts = ['end{}', 'policies{}', 'x'.repeat(30), '', 'é\u0000'];
  for (let round = 0; round < 3; round++) expect(texts.map((text) => ids.of(text))).toEqual(texts.map(expected));
});
