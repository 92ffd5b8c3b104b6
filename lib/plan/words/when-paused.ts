import type { Goal } from '#lib/spec/index.ts';
import { journeysTo } from '../journeys.ts';

const goals: readonly Goal[] = ['install', 'enable', 'restore', 'upgrade', 'flow-logs', 'policy'];

const texts = new Map(
  goals.flatMap((goal) =>
    journeysTo(goal).flatMap(({ operations }) =>
      operations.map(({ id, whenPaused: text }) => [`${goal} ${id}`, text] as const),
    ),
  ),
);

/** Steps of *install* whose way back removes what it made, and has nothing to do with the service proxy. */
const removedAgain: ReadonlySet<string> = new Set([
  'namespace',
  'crds',
  'operator.apply',
  'openshift.bundle',
  'custom-resources',
]);

/** Of journeys that have nothing to do with the service proxy. */
const wayBackOf: Partial<Record<Goal, string>> = {
  'flow-logs': 'some agents report their flows still, others no longer. Traffic and policies are as before.',
  policy: 'the policy is being deleted, and decides until it is gone.',
};

/**
 * What it means for the cluster that a run stands still at this operation: a pause is a safe place, and says why (operations.md › Waits).
 * By goal and id: a journal of an earlier version has no such sentence, and is told with today's; and the same id does other things where a
 * release runs already.
 */
export function whenPaused(goal: Goal, operation: string, direction: 'forward' | 'undo'): string {
  if (direction === 'forward')
    return texts.get(`${goal} ${operation}`) ?? 'This version does not know this step; it may be half-done.';
  const alone = wayBackOf[goal];
  if (alone !== undefined) return `The way back is under way: ${alone}`;
  if (goal === 'upgrade')
    return 'The way back is under way: nodes of both releases may run side by side, and the rest of the way is still to come.';
  if (goal === 'install' && removedAgain.has(operation))
    return 'The way back is under way: what the installation made is being removed, and the rest of the way is still to come.';
  return 'The way back is under way: the service proxy returns before eBPF is turned off, so one of the two handles Services at any moment.';
}
