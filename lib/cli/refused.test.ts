import { expect, test } from 'vitest';
import type { Refusal } from '#lib/run/index.ts';
import { refusalInWords } from '#lib/usecases/index.ts';
import { exit } from './exit.ts';
import { refused } from './run/carry-run.ts';

const refusals: [Refusal, number, string][] = [
  [{ kind: 'held', holder: 'other/1', run: 'r' }, exit.notAsAsked, 'signalbox status --watch --sandbox standard'],
  [{ kind: 'unfinished', run: 'r', samePlan: false }, exit.notAsAsked, 'signalbox resume r --sandbox standard'],
  [{ kind: 'no-such-run' }, exit.usage, 'signalbox runs --sandbox standard'],
  [{ kind: 'ended', state: 'done' }, exit.usage, 'RUN:'],
  [{ kind: 'later-run', run: 'r' }, exit.usage, 'signalbox undo r --sandbox standard'],
  [{ kind: 'nothing-to-accept' }, exit.usage, 'signalbox report --sandbox standard'],
  [{ kind: 'other-cluster' }, exit.usage, ''],
  [{ kind: 'changed-since-shown', run: 'r' }, exit.notAsAsked, ''],
];
test.each(refusals)(
  '%j has its exit code, the words of every face, and the command to type',
  (refusal, code, wayOut) => {
    const { exitCode, message } = refused(refusal, ' --sandbox standard');
    expect(exitCode).toBe(code);
    expect(message).toContain(refusalInWords(refusal).message);
    expect(message).toContain(wayOut);
  },
);
