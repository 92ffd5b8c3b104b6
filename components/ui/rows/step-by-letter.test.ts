import { expect, test } from 'vitest';
import { stepByLetter } from './step-by-letter.ts';

const alone = { ctrlKey: false, metaKey: false, altKey: false };

test.each([
  ['j', alone, 1],
  ['k', alone, -1],
  ['K', alone, 0],
  ['Enter', alone, 0],
  // Opens the search for actions.
  ['k', { ...alone, ctrlKey: true }, 0],
  ['k', { ...alone, metaKey: true }, 0],
  ['j', { ...alone, altKey: true }, 0],
])('%s, %o: %i rows on', (key, held, rows) => {
  expect(stepByLetter({ key, ...held })).toBe(rows);
});
