import { expect, test } from 'vitest';
import type { Refusal } from '#lib/run/index.ts';
import { refusalInWords } from './refusal-in-words.ts';

const refusals: [Refusal, string][] = [
  [{ kind: 'held', holder: 'other/1', run: 'r' }, 'run.held'],
  [{ kind: 'unfinished', run: 'r', samePlan: false }, 'run.unfinished'],
  [{ kind: 'no-such-run' }, 'run.not-found'],
  [{ kind: 'ended', state: 'done' }, 'run.ended'],
  [{ kind: 'later-run', run: 'r' }, 'run.later'],
  [{ kind: 'nothing-to-accept' }, 'run.nothing-to-accept'],
  [{ kind: 'other-cluster' }, 'plan.other-cluster'],
  [{ kind: 'changed-since-shown', run: 'r' }, 'run.changed'],
];
test.each(refusals)('%j is told in whole sentences, without a command line', (refusal, code) => {
  const words = refusalInWords(refusal);
  expect(words.code).toBe(code);
  expect(words.message).toMatch(/^[A-Z][^`]*\.$/);
  expect(words.message).not.toMatch(/--|signalbox /);
});
