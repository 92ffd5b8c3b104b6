import { same } from '#lib/base/records.ts';
import type { Act, Condition, Guard, Plan, PlannedOperation } from '#lib/plan/index.ts';
import { planUndo } from '#lib/plan/plan-undo.ts';
import { directionOf, forwardProgress, type Journal, phaseOf, type StepKey } from './journal.ts';

/** One thing for the executor to do: an operation of the plan, or the undo of one. */
export type Step = {
  key: StepKey;
  goal: Plan['goal'];
  id: string;
  title: string;
  effect: PlannedOperation['effect'];
  act: Act;
  done: Condition;
  guards: readonly Guard[];
  usualSeconds: number;
  deadlineSeconds: number;
  nudge: PlannedOperation['nudge'];
};

/** The steps of a run in this direction, finished ones included: the journal says which are left. */
export function stepsOf(plan: Plan, journal: Journal, direction: 'forward' | 'undo'): Step[] {
  if (direction === 'forward') {
    return plan.operations
      .filter((operation) => operation.status === 'needed')
      .map((operation) => ({
        key: { direction, seq: operation.seq },
        goal: plan.goal,
        id: operation.id,
        title: operation.title,
        effect: operation.effect,
        act: operation.act,
        done: operation.done,
        guards: operation.reads,
        usualSeconds: operation.usualSeconds,
        deadlineSeconds: operation.deadlineSeconds,
        nudge: operation.nudge,
      }));
  }
  const { finished, begun } = forwardProgress(journal);
  return planUndo(plan, finished, begun).map((step) => ({
    key: { direction, seq: step.undoes },
    goal: plan.goal,
    id: step.id,
    title: step.title,
    effect: step.effect,
    act: step.act,
    done: step.done,
    // An undo starts from any state of the cluster: nothing in it depends on what was read before.
    guards: [],
    usualSeconds: step.usualSeconds,
    deadlineSeconds: step.deadlineSeconds,
    nudge: null,
  }));
}

/** The first unfinished step in the run's direction; undefined if none is left. */
export function nextStep(plan: Plan, journal: Journal): Step | undefined {
  return stepsOf(plan, journal, directionOf(journal)).find(({ key }) => phaseOf(journal, key) !== 'finished');
}

/** All steps of that direction with this condition, because a doubt that was accepted at one of them is accepted at the others. */
export function sameDone(plan: Plan, journal: Journal, direction: 'forward' | 'undo', done: Condition): Step[] {
  return stepsOf(plan, journal, direction).filter((step) => same(step.done, done));
}
