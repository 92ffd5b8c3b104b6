import { expect, test } from 'vitest';
import { areNodesBeside } from './are-nodes-beside.ts';

const some = (length: number) => ({ length });

test.each([
  ['six nodes and two fixes', 0, 2, 6, true],
  ['six nodes and a question', 1, 0, 6, true],
  ['two questions and two fixes, which fill the column', 2, 2, 6, false],
  ['fourteen nodes and two fixes', 0, 2, 14, true],
  ['twenty-four nodes and two fixes', 0, 2, 24, false],
  ['four questions, which are a list', 4, 0, 6, true],
  ['twelve nodes and nothing else', 0, 0, 12, true],
  ['sixty nodes', 0, 0, 60, false],
])('%s: %j questions, %j fixes, %j nodes', (_what, questions, fixes, nodes, isBeside) => {
  const parts = { found: some(11), questions: some(questions), fixes: some(fixes), nodes: some(nodes) };
  expect(areNodesBeside(parts)).toBe(isBeside);
});
