import { expect, test } from 'vitest';
import { lastLine, sum } from './tally.mjs';
import { tallyOf } from './vitest.mjs';

const file = (status: string, ...assertions: readonly string[]) => ({
  status,
  assertionResults: assertions.map((status) => ({ status })),
});

test.each([
  ['each test once', [file('passed', 'passed', 'passed', 'pending')], 0, '2 passed, 0 failed, 1 skipped'],
  ['failures', [file('failed', 'passed', 'failed')], 1, '1 passed, 1 failed'],
  ['a file that did not load', [file('failed'), file('passed', 'passed')], 1, '1 passed, 1 failed'],
  ['a file whose afterAll failed', [file('failed', 'passed')], 1, '1 passed, 1 failed'],
  ['an error outside every test', [file('passed', 'passed')], 1, '1 passed, 1 failed'],
  ['todo is not passed', [file('passed', 'todo')], 0, '0 passed, 0 failed, 1 skipped'],
])('%s: %o', (_, testResults, code, line) => {
  expect(lastLine(tallyOf({ testResults }, code))).toBe(line);
});

test('vitest crashed and wrote nothing', () => {
  expect(lastLine(tallyOf(null, 139))).toBe('0 passed, 1 failed');
});

test('suites add up', () => {
  const total = sum([
    { passed: 2, failed: 0, skipped: 1 },
    { passed: 3, failed: 1, skipped: 0 },
  ]);
  expect(lastLine(total)).toBe('5 passed, 1 failed, 1 skipped');
});
