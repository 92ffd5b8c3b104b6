import { expect, test } from 'vitest';
import type { LeaseHolder, ShownRun } from '#lib/run/index.ts';
import { shownRunWords } from './run-words.ts';

const aRun: ShownRun = {
  run: 'r',
  goal: 'enable',
  state: { kind: 'done' },
  startedAt: '2026-11-24T03:00:00Z',
  startedBy: 'a/1',
  planHash: '',
  direction: 'forward',
  unverified: 0,
  namespace: 'signalbox',
  foreign: null,
};
const nobody = { alive: false } as LeaseHolder;

test.each<[string, Partial<ShownRun>]>([
  ['done', {}],
  ['done, 2 not verified', { unverified: 2 }],
  ['done, not verified', { unverified: 2, foreign: 'Another installation of Signalbox wrote this run last.' }],
  ['failed', { state: { kind: 'failed', because: 'no' } as ShownRun['state'], unverified: 2 }],
])('a list says “%s”', (words, run) => {
  expect(shownRunWords({ ...aRun, ...run }, nobody)).toBe(words);
});

test('without its Lease, a running run is called neither executed nor abandoned', () => {
  const running = { ...aRun, state: { kind: 'running', direction: 'forward' } as ShownRun['state'] };
  expect(shownRunWords(running, null)).toBe('running, its process not verified');
  expect(shownRunWords(running, nobody)).toContain('no process executes it');
});
