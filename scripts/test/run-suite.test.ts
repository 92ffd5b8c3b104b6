import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Need } from './needs.mjs';
import { runSuite } from './run-suite.mjs';
import type { Suite } from './suites.mjs';
import { sum } from './tally.mjs';

vi.mock('./vitest.mjs', () => ({
  runVitest: async (suite: string) => [{ suite, file: 'a.test.ts', tests: 5, passed: 5, failed: [], skipped: 0 }],
}));

const there: Need = { name: 'this', provide: async () => null };
const missing: Need = { name: 'Go', provide: async () => 'Install golang-go.' };
const suite = (needs: Partial<Suite>): Suite => ({
  name: 'cluster',
  what: '',
  before: null,
  runs: 'beside',
  requires: [],
  wants: [],
  ...needs,
});
let output: string;

beforeEach(() => {
  output = '';
  vi.spyOn(console, 'error').mockImplementation((text) => {
    output += text;
  });
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test.each([
  ['true', { passed: 0, failed: ['cluster WAS NOT RUN: Go: Install golang-go.'], skipped: 0 }],
  ['', { passed: 0, failed: [], skipped: 1 }],
  ['false', { passed: 0, failed: [], skipped: 1 }],
])('without what it requires it does not run; CI=%s', async (ci, tally) => {
  vi.stubEnv('CI', ci);
  expect(sum(await runSuite(suite({ requires: [there, missing] }), false))).toEqual(tally);
  expect(output).toMatch(/^!{80}\ncluster WAS NOT RUN:\nGo: Install golang-go\.\n!{80}$/);
});

test.each([
  ['true', { passed: 5, failed: ['cluster IS NOT COMPLETE: Go: Install golang-go.'], skipped: 0 }],
  ['', { passed: 5, failed: [], skipped: 1 }],
])('without what it wants it runs, and says what was left out; CI=%s', async (ci, tally) => {
  vi.stubEnv('CI', ci);
  expect(sum(await runSuite(suite({ wants: [missing] }), false))).toEqual(tally);
  expect(output).toContain('cluster IS NOT COMPLETE:\nGo: Install golang-go.');
});

test('with all there, only vitest counts', async () => {
  expect(sum(await runSuite(suite({ requires: [there], wants: [there] }), false))).toEqual({
    passed: 5,
    failed: [],
    skipped: 0,
  });
  expect(output).toBe('');
});
