import { expect, test } from 'vitest';
import { goalName, runStateWords as runInOneSentence } from '#components/dashboard/run-state-words.ts';
import { holderWords, pausedWords, reportTitle, runStateWords, runTitle } from './run-words.ts';

test('a run that goes on and is carried by nobody says so', () => {
  const state = { kind: 'running', direction: 'forward' } as const;
  expect(runStateWords(state, 'abandoned', 0)).toEqual({ state: 'warn', word: 'no process runs it' });
  expect(runStateWords(state, 'carried', 0).word).toBe('running');
});

test('a journal of another version is never shown as fine', () => {
  expect(runStateWords({ kind: 'unreadable', ended: true }, 'carried', 0).state).toBe('unknown');
});

test('who started it is named shortly', () => {
  expect(holderWords('3f9c12ab-aaaa-bbbb-cccc-1234567890ab/4211@99@deadbeef')).toBe('Signalbox 3f9c12ab, process 4211');
  expect(holderWords('somebody')).toBe('Signalbox somebody');
});

test('the title says what is done to which cluster', () => {
  expect(runTitle({ goal: 'enable' }, 'prod-eu-1')).toBe('Enable eBPF on prod-eu-1');
  expect(runTitle({ goal: 'upgrade' }, 'prod')).toBe('Upgrade Calico on prod');
  const upgrade = { from: 'v3.30.4', to: 'v3.31.4', hops: 2 };
  expect(runTitle({ goal: 'upgrade', upgrade }, 'prod')).toBe('Upgrade v3.30.4 → v3.31.4 (2 hops) on prod');
  expect(runTitle({ goal: 'upgrade', upgrade }, 'prod', 'undo')).toBe(
    'Undo: upgrade v3.30.4 → v3.31.4 (2 hops) on prod',
  );
});

test.each([
  ['restore', 'Restore kube-proxy on prod'],
  ['flow-logs', 'Turn flow logs on for prod'],
  ['policy', 'Make a policy on prod'],
  ['undo', 'Undo a run on prod'],
])('each goal has a title: %s', (goal, title) => {
  expect(runTitle({ goal }, 'prod')).toBe(title);
});

test('a goal that somebody made up is in no title', () => {
  const upgrade = { from: null, to: 'v3.31.4', hops: 1 };
  for (const goal of ['Paused. Run this as root to go on', 'constructor']) {
    expect(runTitle({ goal, upgrade }, 'prod')).toBe('Run on prod');
    expect(goalName({ goal, upgrade })).toBe('The run');
  }
});

test('a run with a step that nobody verified is not fine, in lists, on its page and in its report', () => {
  expect(runStateWords({ kind: 'done' }, 'carried', 0)).toEqual({ state: 'ok', word: 'done' });
  expect(runStateWords({ kind: 'done' }, 'carried', 1)).toEqual({ state: 'unknown', word: 'done, 1 not verified' });
  expect(runStateWords({ kind: 'undone' }, 'carried', 0).state).toBe('idle');
});

test('a run of a foreign hand is told as a claim wherever a sentence tells of it, and never as fine', () => {
  const claim = { goal: 'enable', unverified: 2, foreign: 'The author of this run is not verified.' };
  expect(runInOneSentence({ ...claim, state: { kind: 'running', direction: 'forward' } })).toEqual({
    state: 'unknown',
    sentence: 'Enable eBPF is under way, not verified',
    isOpen: true,
  });
  expect(runInOneSentence({ ...claim, state: { kind: 'done' } })).toMatchObject({
    state: 'unknown',
    sentence: 'Enable eBPF is done, not verified',
  });
  expect(runInOneSentence({ ...claim, unverified: 0, foreign: null, state: { kind: 'done' } }).state).toBe('ok');
});

test.each([
  ['asked', 'warn'],
  ['unknown', 'unknown'],
  ['node.refuses-bpf', 'bad'],
])('a pause has the same mark in lists and on the dashboard: %s', (code, mark) => {
  const state = { kind: 'paused', direction: 'forward', seq: 1, code, because: '', meaning: '' } as const;
  expect(runStateWords(state as never, 'carried', 0).state).toBe(mark);
  expect(runInOneSentence({ goal: 'enable', unverified: 0, foreign: null, state: state as never }).state).toBe(mark);
});

test('the title of a report has one colon', () => {
  const report = { goal: 'enable', cluster: 'prod', direction: 'forward' } as const;
  expect(reportTitle(report)).toBe('Report: Enable eBPF on prod');
  expect(reportTitle({ ...report, direction: 'undo' })).toBe('Report of the undo: Enable eBPF on prod');
  expect(reportTitle({ ...report, goal: 'install', direction: 'undo' })).toBe('Report: Uninstall Calico from prod');
});

test('an undo has a title of its own', () => {
  expect(runTitle({ goal: 'enable' }, 'prod', 'undo')).toBe('Undo: enable eBPF on prod');
  expect(runTitle({ goal: 'install' }, 'prod', 'undo')).toBe('Uninstall Calico from prod');
  expect(runTitle({ goal: 'policy' }, 'prod', 'undo')).toBe('Undo: make a policy on prod');
});

test.each([
  [undefined, 'Paused on request'],
  ['3f9c12ab00/4211@1@desk', 'Paused from this console'],
  ['aaaaaaaabb/77@1@other', 'Paused by Signalbox aaaaaaaa, process 77'],
])('a pause says who asked for it: %s', (by, words) => {
  expect(pausedWords(by, '3f9c12ab00/4211@1@desk')).toBe(words);
});
