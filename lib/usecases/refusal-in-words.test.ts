import { expect, test } from 'vitest';
import { type AnyRefusal, refusalInWords } from './refusal-in-words.ts';

const refusals: [AnyRefusal, string][] = [
  [{ kind: 'held', holder: 'other/1', run: 'r' }, 'run.held'],
  [{ kind: 'unfinished', run: 'r', samePlan: false }, 'run.unfinished'],
  [{ kind: 'no-such-run' }, 'run.not-found'],
  [{ kind: 'ended', state: 'done' }, 'run.ended'],
  [{ kind: 'later-run', run: 'r' }, 'run.later'],
  [{ kind: 'nothing-to-accept' }, 'run.nothing-to-accept'],
  [{ kind: 'other-cluster' }, 'plan.other-cluster'],
  [{ kind: 'changed-since-shown', run: 'r' }, 'run.changed'],
  [{ kind: 'undone' }, 'run.undone'],
  [{ kind: 'undoing', run: 'r' }, 'run.undoing'],
  [{ kind: 'paused', run: 'r' }, 'run.paused'],
  [{ kind: 'going-on' }, 'run.going-on'],
  [{ kind: 'not-carried', run: 'r' }, 'run.not-carried'],
  [{ kind: 'no-answer', run: 'r', holder: 'other/1', action: 'undo' }, 'run.no-answer'],
  [{ kind: 'not-taken', run: 'r', because: 'the run has ended' }, 'run.not-taken'],
  [{ kind: 'blocked', ids: ['node.kernel'] }, 'plan.blocked'],
  [{ kind: 'needs-answers', ids: ['a.b', 'c.d'] }, 'plan.needs-answers'],
  [{ kind: 'nothing-to-do' }, 'plan.nothing-to-do'],
];
test.each(refusals)('%j is told in whole sentences, without a command line', (refusal, code) => {
  const words = refusalInWords(refusal);
  expect(words.code).toBe(code);
  expect(words.message).toMatch(/^[A-Z\d][^`]*\.$/);
  expect(words.message).not.toMatch(/--|signalbox /);
});

test.each(['paused', 'undoing'] as const)(
  'a run that is %s already is named, as nobody may have typed its name',
  (kind) => {
    expect(refusalInWords({ kind, run: '20261128-0914-ab12' }).message).toMatch(/^Run 20261128-0914-ab12 is already /);
  },
);
