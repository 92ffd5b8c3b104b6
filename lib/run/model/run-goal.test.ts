import { expect, test } from 'vitest';
import { type Condition, type PlannedOperation, wayOfUpgrade } from '#lib/plan/index.ts';
import { runGoal } from './run-goal.ts';

const upgraded = (version: string): Condition => ({ kind: 'upgraded', version });

/** An operator and the wait for its agents, as for each release. */
function hop(from: string | null, to: string): Pick<PlannedOperation, 'done' | 'undo'>[] {
  const back: Condition = { kind: 'all', of: from === null ? [] : [upgraded(from)] };
  return [
    { done: { kind: 'all', of: [] }, undo: { done: back } as PlannedOperation['undo'] },
    { done: upgraded(to), undo: null },
  ];
}

const of = (goal: 'upgrade' | 'enable', operations: Pick<PlannedOperation, 'done' | 'undo'>[]) =>
  wayOfUpgrade({ goal, operations: operations as PlannedOperation[] });

test.each([
  [of('upgrade', hop('v3.30.7', 'v3.31.4')), 'upgrade v3.30.7 → v3.31.4'],
  [of('upgrade', [...hop('v3.30.4', 'v3.30.7'), ...hop('v3.30.7', 'v3.31.4')]), 'upgrade v3.30.4 → v3.31.4 (2 hops)'],
  [of('upgrade', [...hop('v3.30.7', 'v3.31.4'), ...hop(null, 'v3.31.4')]), 'upgrade v3.30.7 → v3.31.4'],
  [of('upgrade', hop(null, 'v3.31.4')), 'upgrade to v3.31.4'],
  [of('upgrade', []), 'upgrade'],
])('a run that goes %j is called so', (upgrade, words) => {
  expect(runGoal({ goal: 'upgrade', upgrade })).toBe(words);
});

test.each([
  ['Paused. Run kubectl as cluster-admin to go on', 'unknown'],
  ['enable', 'enable'],
])('the way of an upgrade is nothing to a run whose goal says %s', (goal, words) => {
  expect(runGoal({ goal, upgrade: { from: 'v3.30.7', to: 'v3.31.4', hops: 1 } })).toBe(words);
});

test('what is no upgrade is called by its goal', () => {
  expect(of('enable', hop('v3.30.7', 'v3.31.4'))).toBeNull();
  expect(runGoal({ goal: 'enable', upgrade: null })).toBe('enable');
});
