import type { Plan } from './plan.ts';
import type { Act } from './schema/act.ts';
import type { PlannedOperation } from './schema/planned-operation.ts';

/** The operations of a plan; nothing else of it is needed here. */
type Operations = Pick<Plan, 'operations'>;

/** Whether the run carries the operation out. The others are done already. */
export function isNeeded({ status }: Pick<PlannedOperation, 'status'>): boolean {
  return status === 'needed';
}

/** The operations that write something, in order: the user confirms these before a start. If there are none, there is nothing to start. */
export function changesOf({ operations }: Operations): PlannedOperation[] {
  return operations.filter((operation) => isNeeded(operation) && operation.targets.length > 0);
}

/** Whether a step touches traffic by what the run writes or asks the reader to do. Waits and verifications do not. */
export function touchesTraffic({ status, effect, targets, act }: PlannedOperation): boolean {
  return isNeeded({ status }) && effect === 'traffic' && (targets.length > 0 || instructs(act));
}

/** Steps that only the reader can carry out: the run says what to do and checks whether it was done. */
export function yoursToDo({ operations }: Operations): PlannedOperation[] {
  return operations.filter((operation) => isNeeded(operation) && instructs(operation.act));
}

function instructs(act: Act): boolean {
  return act.kind === 'instruct' || (act.kind === 'sequence' && act.steps.some((step) => instructs(step.act)));
}

/** The number of changes, of those that cannot be undone, and of steps that touch traffic. The reader's own steps count too. */
export function stakesOf(plan: Operations): { changes: number; traffic: number; oneWay: number } {
  const changes = changesOf(plan);
  return {
    changes: changes.length,
    traffic: plan.operations.filter(touchesTraffic).length,
    oneWay: changes.filter(({ reversible }) => !reversible).length,
  };
}

/** Whether the user has to type the cluster's name first: the plan touches traffic, if only by a wait, or cannot be undone (product.md › Promises 2). */
export function asksForName({ operations }: Operations): boolean {
  return operations.some(
    (operation) => isNeeded(operation) && (operation.effect === 'traffic' || !operation.reversible),
  );
}
