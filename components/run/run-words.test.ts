import { expect, test } from 'vitest';
import { holderWords, runStateWords, runTitle } from './run-words.ts';

test('a run that goes on and is carried by nobody says so', () => {
  const state = { kind: 'running', direction: 'forward' } as const;
  expect(runStateWords(state, 'abandoned')).toEqual({ state: 'warn', word: 'no process runs it' });
  expect(runStateWords(state, 'carried').word).toBe('running');
});

test('a journal of another version is never shown as fine', () => {
  expect(runStateWords({ kind: 'unreadable', ended: true }, 'carried').state).toBe('unknown');
});

test('who started it is named shortly', () => {
  expect(holderWords('3f9c12ab-aaaa-bbbb-cccc-1234567890ab/4211@99@deadbeef')).toBe('Signalbox 3f9c12ab, process 4211');
  expect(holderWords('somebody')).toBe('Signalbox somebody');
});

test('the title says what is done to which cluster', () => {
  expect(runTitle('enable', 'prod-eu-1')).toBe('Enable eBPF on prod-eu-1');
});
