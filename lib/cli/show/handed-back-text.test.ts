import { expect, test } from 'vitest';
import { handedBackText } from './handed-back-text.ts';

test.each([
  [{ kept: 1, ended: 1 }, '1 continues through the host', 'and 1 ends.'],
  [{ kept: 4_000, ended: 0 }, '4,000 continue through the host', 'and 0 end.'],
])('%j', (counts, kept, ended) => {
  expect(handedBackText(counts)).toContain(kept);
  expect(handedBackText(counts)).toContain(ended);
});
