import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../setup/root.mjs';
import { failuresToRead, lastLine, sum } from './tally.mjs';
import { outcomesOf } from './vitest.mjs';

const file = (status: string, ...assertions: readonly string[]) => ({
  status,
  name: 'e2e/a.test.ts',
  assertionResults: assertions.map((status) => ({ status, fullName: 'it works', failureMessages: [] })),
});

test.each([
  ['each test once', [file('passed', 'passed', 'passed', 'pending')], 0, '2 passed, 0 failed, 1 skipped'],
  ['failures', [file('failed', 'passed', 'failed')], 1, '1 passed, 1 failed'],
  ['a file that did not load', [file('failed'), file('passed', 'passed')], 1, '1 passed, 1 failed'],
  ['a file whose afterAll failed', [file('failed', 'passed')], 1, '1 passed, 1 failed'],
  ['an error outside every test', [file('passed', 'passed')], 1, '1 passed, 1 failed'],
  ['todo is not passed', [file('passed', 'todo')], 0, '0 passed, 0 failed, 1 skipped'],
])('%s: %o', (_, testResults, code, line) => {
  expect(lastLine(sum(outcomesOf('unit', { testResults }, [], code)))).toBe(line);
});

test('vitest crashed and wrote nothing', () => {
  expect(lastLine(sum(outcomesOf('unit', null, [], 139)))).toBe('0 passed, 1 failed');
});

test('an error outside every test counts beside a test that failed, and is no file’s', () => {
  const outcomes = outcomesOf('unit', { testResults: [file('failed', 'failed')] }, ['Error: Worker exited'], 1);
  expect(outcomes.map(({ file, failed }) => [file, failed[0]?.split('\n').at(-1)])).toEqual([
    [expect.stringMatching('a.test.ts$'), ''],
    [null, 'Error: Worker exited'],
  ]);
});

test('suites add up', () => {
  const total = sum([
    { passed: 2, failed: [], skipped: 1 },
    { passed: 3, failed: ['unit: a'], skipped: 0 },
  ]);
  expect(lastLine(total)).toBe('5 passed, 1 failed, 1 skipped');
});

test('the end of the output names each that failed, with the beginning of its message and without colours', () => {
  const testResults = [
    {
      status: 'failed',
      name: join(root, 'e2e/a.test.ts'),
      assertionResults: [
        {
          status: 'failed',
          fullName: 'doors close',
          failureMessages: ['\u001b[31mAssertionError\u001b[39m: open\n  at a'],
        },
      ],
    },
    { status: 'failed', name: join(root, 'e2e/b.test.ts'), message: 'SyntaxError', assertionResults: [] },
  ];
  expect(failuresToRead(sum(outcomesOf('unit', { testResults }, [], 1)).failed)).toBe(
    [
      'Failed:',
      '  unit: e2e/a.test.ts › doors close',
      '    AssertionError: open',
      '      at a',
      '  unit: e2e/b.test.ts, outside its tests',
      '    SyntaxError',
    ].join('\n'),
  );
  expect(failuresToRead(sum(outcomesOf('unit', null, [], 139)).failed)).toBe(
    'Failed:\n  unit: vitest ended with 139, outside every test',
  );
  expect(failuresToRead(sum(outcomesOf('unit', { testResults: [] }, [], 0)).failed)).toBe('');
});
