import { expect, test } from 'vitest';
import type { RunView } from '#lib/console/wire.ts';
import type { ShownRun } from '#lib/run/index.ts';
import type { LastChange } from '#lib/status/index.ts';
import { outageLines } from './outage-lines.ts';

const change = (object: string, at: string | null): LastChange => ({ object, field: 'x', value: 'y', at, by: [] });
const step = (title: string, more: Partial<RunView['operations'][number]>): RunView['operations'][number] => ({
  seq: 1,
  id: 'a.b',
  title,
  effect: 'traffic',
  state: 'finished',
  begunAt: null,
  finishedAt: null,
  note: null,
  outcome: null,
  ...more,
});
const shown: ShownRun = {
  run: '12',
  goal: 'enable',
  state: { kind: 'done' },
  startedAt: '2026-11-22T09:00:00.250Z',
  startedBy: 'anna@host',
  planHash: '',
  direction: 'forward',
  unverified: 0,
  namespace: 'signalbox',
  foreign: null,
};

test('the lines are the run, its steps that touched traffic and later changes, oldest first; those without a time come last', () => {
  const steps = [
    step('Turn kube-proxy off', { finishedAt: '2026-11-22T09:04:00Z' }),
    step('Read the nodes', { effect: 'none', finishedAt: '2026-11-22T09:01:00Z' }),
    step('Remove its rules', { state: 'begun', begunAt: '2026-11-22T09:05:00Z' }),
    step('Forget it', { state: 'ahead' }),
  ];
  const lines = outageLines([{ shown, steps }], [change('old', null), change('Installation', '2026-11-28T10:31:08Z')]);
  expect(
    lines.map((line) => (line.kind === 'step' ? line.title : line.kind === 'run' ? line.run.run : line.change.object)),
  ).toEqual(['12', 'Turn kube-proxy off', 'Remove its rules', 'Installation', 'old']);
});

test('a step that was undone is marked so', () => {
  const steps = [step('Turn kube-proxy off', { state: 'undone', finishedAt: '2026-11-22T09:04:00Z' })];
  expect(outageLines([{ shown, steps }], []).at(-1)).toMatchObject({ kind: 'step', came: 'undone', claimed: false });
});

test('a step whose process died in it is told as begun', () => {
  const steps = [step('Turn kube-proxy off', { state: 'begun', begunAt: '2026-11-22T09:04:00Z' })];
  expect(outageLines([{ shown, steps }], []).at(-1)).toMatchObject({ came: 'begun', at: '2026-11-22T09:04:00Z' });
});

test('a run whose journal has text instead of a time comes last, without a time', () => {
  const foreign = { ...shown, startedAt: 'yesterday' };
  const lines = outageLines([{ shown: foreign, steps: [] }], [change('a', '2026-11-28T10:31:08Z'), change('b', null)]);
  expect(lines.map(({ kind, at }) => [kind, at])).toEqual([
    ['change', '2026-11-28T10:31:08Z'],
    ['change', null],
    ['run', null],
  ]);
});

test('a step at which a run is paused before it began is left out, and one that is being undone is told so', () => {
  const steps = [
    step('Turn kube-proxy off', { state: 'undoing', begunAt: '2026-11-22T09:04:00Z' }),
    step('Remove its rules', { state: 'failed' }),
  ];
  const lines = outageLines([{ shown, steps }], []);
  expect(lines.map((line) => (line.kind === 'step' ? line.came : line.kind))).toEqual(['run', 'undoing']);
});
