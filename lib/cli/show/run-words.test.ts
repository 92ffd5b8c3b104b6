import { expect, test } from 'vitest';
import type { LeaseHolder, ShownRun } from '#lib/run/index.ts';
import { columns } from '../terminal/terminal.ts';
import { runInList, shownRunWords } from './run-words.ts';

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

const longest: ShownRun = {
  ...aRun,
  run: '20261124-0300-3f9c',
  goal: 'upgrade',
  upgrade: { from: 'v3.30.7', to: 'v3.32.1', hops: 2 } as NonNullable<ShownRun['upgrade']>,
  state: { kind: 'running', direction: 'undo' } as ShownRun['state'],
  startedAt: '2026-11-24T03:00:00.123Z',
};

test('a run in a list is short on a terminal, and whole in a pipe', () => {
  expect(runInList(longest, nobody, { isTerminal: true })).toEqual({
    cells: ['20261124-0300-3f9c', 'upgrade v3.30.7 → v3.32.1 (2 hops)', 'being undone', '2026-11-24T03:00Z'],
    about: 'No process executes it: resume it.',
  });
  expect(runInList(longest, nobody, { isTerminal: false })).toEqual({
    cells: [
      '20261124-0300-3f9c',
      'upgrade v3.30.7 → v3.32.1 (2 hops)',
      'being undone, but no process executes it: resume it',
      '2026-11-24T03:00:00.123Z',
    ],
    about: '',
  });
});

test.each([
  ['an enabled cluster', { ...longest, goal: 'enable' }],
  ['an upgrade in two hops', longest],
])('no row of a list of runs is wider than a terminal of 80 columns: %s', (_what, run) => {
  const { cells, about } = runInList(run, nobody, { isTerminal: true });
  const lines = columns([[...cells, about]], 80).split('\n');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines.join(' ').replaceAll(/\s+/g, ' ')).toBe([...cells, about].join(' '));
});

test('a time that another program wrote into a journal is shown as it is', () => {
  const { cells } = runInList({ ...aRun, startedAt: 'yesterday' }, nobody, { isTerminal: true });
  expect(cells.at(-1)).toBe('yesterday');
});

test.each([true, false])('line feeds in a journal of others make no rows, on a terminal (%s)', (isTerminal) => {
  const { cells } = runInList({ ...aRun, run: 'a\nb', startedAt: 'then\nnow' }, nobody, { isTerminal });
  expect([cells[0], cells.at(-1)]).toEqual(['a\\u000ab', 'then\\u000anow']);
});
