import { expect, test } from 'vitest';
import { afterSecondRun, filesToRunAgain } from './rerun.mjs';
import { lastLine, type Outcome, sum } from './tally.mjs';
import { outcomesOf } from './vitest.mjs';

const passed = (file: string, tests = 3): Outcome => ({
  ...{ suite: 'unit', file, tests },
  ...{ passed: tests, failed: [], skipped: 0 },
});
const failed = (file: string | null, suite = 'unit'): Outcome => ({
  ...{ suite, file, tests: 3 },
  ...{ passed: 2, failed: [`${suite}: ${file} › it works`], skipped: 0 },
});
const [a, b] = ['a.test.ts', 'b.test.ts'];

test('the files that failed are run again, by suite', () => {
  const outcomes = [failed(a), passed(b), failed('c.test.ts'), failed('d.test.ts', 'cluster')];
  expect([...filesToRunAgain(outcomes)]).toEqual([
    ['unit', [a, 'c.test.ts']],
    ['cluster', ['d.test.ts']],
  ]);
});

const many = (count: number) => Array.from({ length: count }, (_, index) => failed(`${index}.test.ts`));

test.each([
  ['nothing failed', [passed(a)]],
  ['more than six files failed', many(7)],
  ['a program failed, or a suite could not run', [failed(a), failed(null, 'static')]],
  ['an error was outside every test', outcomesOf('unit', { testResults: [] }, ['Error: socket hang up'], 1)],
  ['vitest crashed without results', [failed(a), ...outcomesOf('cluster', null, [], 139)]],
])('nothing is run again where %s', (_, outcomes) => {
  expect(filesToRunAgain(outcomes).size).toBe(0);
});

test('six files are few', () => {
  expect(filesToRunAgain(many(6)).get('unit')).toHaveLength(6);
});

test('what passes then counts as passed, and is told with its first failure', () => {
  const { outcomes, passedAlone } = afterSecondRun([failed(a), passed(b)], [passed(a)]);
  expect(lastLine(sum(outcomes))).toBe('6 passed, 0 failed');
  expect(passedAlone).toEqual(['unit: a.test.ts › it works']);
});

const skipping: Outcome = { ...passed(a), passed: 2, skipped: 1 };

test.each([
  ['it fails again', [failed(a)]],
  ['another of its tests fails', [{ ...failed(a), failed: ['unit: a.test.ts › another'] }]],
  ['the file has vanished', outcomesOf('unit', { testResults: [] }, [], 1)],
  ['vitest crashes without results', outcomesOf('unit', null, [], 139)],
  ['an error comes outside every test', [passed(a), ...outcomesOf('unit', { testResults: [] }, ['Error'], 1)]],
  ['it passes a test over that it had run', [skipping]],
  ['a test is gone', [passed(a, 2)]],
  ['only a file of the same name in another suite passes', [{ ...passed(a), suite: 'cluster' }]],
])('what failed has failed where %s', (_, second) => {
  const { outcomes, passedAlone } = afterSecondRun([failed(a), passed(b)], second);
  expect(sum(outcomes).failed.length).toBeGreaterThan(0);
  expect(passedAlone).toEqual([]);
});

test('each file has its own verdict', () => {
  const { outcomes, passedAlone } = afterSecondRun([failed(a), failed(b)], [failed(b), passed(a)]);
  expect(lastLine(sum(outcomes))).toBe('5 passed, 1 failed');
  expect(passedAlone).toHaveLength(1);
});

test('a file that did not load the first time', () => {
  const file = (status: string, ...assertions: string[]) => ({
    ...{ status, name: a, message: 'Error: no port' },
    assertionResults: assertions.map((status) => ({ status, fullName: 'it works', failureMessages: [] })),
  });
  const first = outcomesOf('unit', { testResults: [file('failed')] }, [], 1);
  const second = (...assertions: string[]) =>
    outcomesOf('unit', { testResults: [file('passed', ...assertions)] }, [], 0);
  expect(lastLine(sum(afterSecondRun(first, second('passed', 'passed')).outcomes))).toBe('2 passed, 0 failed');
  expect(lastLine(sum(afterSecondRun(first, second()).outcomes))).toBe('0 passed, 1 failed');
});
