import type { KubeObject } from '#lib/kube/index.ts';
import type { ConditionContext } from './context.ts';
import type { Progress } from './progress.ts';
import { heldUp, rolloutAwaited, rolloutOf } from './rollout.ts';

/**
 * What a workload's rollout waits for, which pods hold it up, and how many are updated; null once it is complete. `change`: what the pods take up by
 * restarting, as `with …`. Rejects with a KubeError.
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
