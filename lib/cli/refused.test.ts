import { expect, test } from 'vitest';
import { type AnyRefusal, refusalInWords } from '#lib/usecases/index.ts';
import { exit } from './exit.ts';
import { refusalWithCommand } from './run/carry-run.ts';

const refusals: [AnyRefusal, number, string][] = [
  [{ kind: 'held', holder: 'other/1', run: 'r' }, exit.notAsAsked, 'signalbox status --watch'],
  [{ kind: 'unfinished', run: 'r', samePlan: false }, exit.notAsAsked, 'signalbox resume r'],
  [{ kind: 'no-such-run' }, exit.usage, 'signalbox runs'],
  [{ kind: 'ended', state: 'done' }, exit.usage, 'RUN:'],
  [{ kind: 'later-run', run: 'r' }, exit.usage, 'signalbox undo r'],
  [{ kind: 'nothing-to-accept' }, exit.usage, 'signalbox report'],
  [{ kind: 'other-cluster' }, exit.usage, ''],
  [{ kind: 'changed-since-shown', run: 'r' }, exit.notAsAsked, ''],
  [{ kind: 'paused', run: 'r' }, exit.fine, 'signalbox resume r'],
  [{ kind: 'undoing', run: 'r' }, exit.fine, 'signalbox status --watch'],
];
test.each(refusals)(
  '%j has its exit code, the words of every face, and the command to type',
  (refusal, code, wayOut) => {
    const { exitCode, message } = refusalWithCommand(refusal);
    expect(exitCode).toBe(code);
    expect(message).toContain(refusalInWords(refusal).message);
    expect(message).toContain(wayOut);
  },
);

test('a refusal of a run that was typed is about RUN; without one it says which run was found', () => {
  expect(refusalWithCommand({ kind: 'undone' }).message).toBe('RUN: This run is already undone.');
  const found = refusalWithCommand({ kind: 'undone' }, '20261128-0914-ab12');
  expect(found.message).toBe('Run 20261128-0914-ab12: This run is already undone. `signalbox runs` lists the others.');
  expect(found.exitCode).toBe(exit.usage);
});
