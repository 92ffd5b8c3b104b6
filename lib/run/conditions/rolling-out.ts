import type { KubeObject } from '#lib/kube/index.ts';
import type { ConditionContext } from './context.ts';
import type { Progress } from './progress.ts';
import { heldUp, rolloutAwaited, rolloutOf } from './rollout.ts';

/**
 * A workload on its way: what is awaited of it, who holds it up, and how many of its pods are updated. Null once it has rolled out. `change`: what
 * it takes up by restarting, as `with …`.
 */
export async function rollingOut(
  workload: KubeObject,
  { kube, signal }: Pick<ConditionContext, 'kube' | 'signal'>,
  change = '',
): Promise<Extract<Progress, { kind: 'waiting' }> | null> {
  const rollout = rolloutOf(workload);
  if (rollout.complete) return null;
  return {
    kind: 'waiting',
    awaiting: rolloutAwaited(workload, rollout, change),
    ...(await heldUp(kube, workload, signal)),
    done: rollout.updated,
    total: rollout.desired,
  };
}
