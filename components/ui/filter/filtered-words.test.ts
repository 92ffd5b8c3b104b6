import { expect, test } from 'vitest';
import { filteredWords } from './filtered-words.ts';

test.each([
  [[{ of: 'row', all: 1, left: 1 }], '1 row'],
  [[{ of: 'row', all: 20, left: 3 }], '3 of 20 rows'],
  [
    [
      { of: 'cluster', all: 3, left: 3 },
      { of: 'sandbox', many: 'sandboxes', all: 97, left: 97 },
    ],
    '3 clusters, 97 sandboxes',
  ],
  [
    [
      { of: 'cluster', all: 3, left: 0 },
      { of: 'sandbox', many: 'sandboxes', all: 97, left: 97 },
    ],
    '0 of 3 clusters, 97 of 97 sandboxes',
  ],
])('%j: %s', (parts, words) => {
  expect(filteredWords(parts)).toBe(words);
});
