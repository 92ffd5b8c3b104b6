import { conditionsOf } from '#lib/kube/index.ts';
import type { Condition } from '#lib/plan/index.ts';
import { resources } from '#lib/spec/index.ts';
import type { ConditionContext } from './context.ts';
import { met, type Progress, waiting } from './progress.ts';

/** The TigeraStatus is gone or not Available: the operator has given up the component (controlplane.md › Recordings 12). */
export async function statusNotAvailable(
  { tigeraStatus }: Extract<Condition, { kind: 'status-not-available' }>,
  { kube, signal }: ConditionContext,
): Promise<Progress> {
  const object = await kube.get({ resource: resources.tigeraStatuses, name: tigeraStatus }, { signal });
  if (!object) return met([], `TigeraStatus/${tigeraStatus} is gone`);
  const available = conditionsOf(object).find((one) => one.type === 'Available')?.status;
  if (available !== 'True')
    return met([
      { object: `TigeraStatus/${tigeraStatus}`, path: 'status.conditions[Available].status', value: available ?? null },
    ]);
  return waiting(`TigeraStatus/${tigeraStatus} to stop being Available`);
}
