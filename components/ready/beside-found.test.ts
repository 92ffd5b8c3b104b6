import { expect, test } from 'vitest';
import { besideFound } from './beside-found.ts';

const some = (length: number) => ({ length });
const nothing = { questions: some(0), withheld: some(0), unmeasured: some(0), fixes: some(0), nodes: null };

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
  const parts = { ...nothing, found: some(11), questions: some(questions), fixes: some(fixes), nodes: some(nodes) };
  expect(besideFound(parts).nodes).toBe(isBeside);
});

test.each([
  ['without rights and tests', { withheld: some(32), unmeasured: some(2), fixes: some(2) }, false],
  ['without rights, with one fix', { withheld: some(32), fixes: some(1) }, true],
  ['two fixes alone', { fixes: some(2) }, true],
  ['a question and two fixes', { questions: some(1), fixes: some(2) }, true],
])('%s: fixes stand beside what was found, or below both columns', (_what, parts, isBeside) => {
  expect(besideFound({ ...nothing, found: some(10), ...parts }).fixes).toBe(isBeside);
});

test('columns end together where they nearly do, and a short one is not filled with empty room', () => {
  const level = (parts: Partial<Parameters<typeof besideFound>[0]>) =>
    besideFound({ ...nothing, found: some(10), ...parts }).isLevel;
  expect(level({ fixes: some(2), nodes: some(6) })).toBe(true);
  expect(level({ withheld: some(32), unmeasured: some(2), fixes: some(2) })).toBe(true);
  expect(level({ questions: some(1) })).toBe(false);
});
