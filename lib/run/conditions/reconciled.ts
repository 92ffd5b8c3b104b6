import { installationOf } from '#lib/kube/index.ts';
import type { ConditionContext } from './context.ts';
import { dataPlaneObjects, observedGeneration, waitingForGeneration } from './data-plane-objects.ts';
import { met, type Progress } from './progress.ts';

/** The operator reports the Installation's current generation, so it has written back every field that it sets. */
export async function reconciled(_condition: unknown, context: ConditionContext): Promise<Progress> {
  const { installation, status, complaint, also } = await dataPlaneObjects(context);
  const generation = installationOf(installation).metadata.generation ?? 0;
  const observed = observedGeneration(status);
  if (observed === null) {
    return {
      kind: 'unknown',
      because: `The operator does not report which generation of Installation/default it has applied${also}.`,
      subjects: [],
      settleSeconds: 60,
    };
  }
  if (observed >= generation)
    return met([{ object: 'TigeraStatus/calico', path: 'status.conditions.observedGeneration', value: observed }]);
  return waitingForGeneration(generation, observed, { complaint, also });
}
