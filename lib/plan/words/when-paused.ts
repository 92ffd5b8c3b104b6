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

/** The way back of goals that have nothing to do with the service proxy. */
const wayBackOf: Partial<Record<Goal, string>> = {
  'flow-logs': 'some agents report their flows still, others no longer. Traffic and policies are as before.',
  policy: 'the policy is being deleted, and decides until it is gone.',
};

/**
 * What a pause at this operation means for the cluster (operations.md › Waits). Looked up by goal and id, and not read from the journal: journals
 * of earlier versions have no such sentence, and one id does different things in different goals.
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
