import type { Act } from './act.ts';
import type { PlannedOperation } from './operation.ts';
import type { Plan } from './plan.ts';

/** Plans of which only the operations matter here. */
type Operations = Pick<Plan, 'operations'>;

export function isNeeded({ status }: Pick<PlannedOperation, 'status'>): boolean {
  return status === 'needed';
}

/** The operations that write something, in order: what is asked about before a start. Without any, there is nothing to start. */
export function changesOf({ operations }: Operations): PlannedOperation[] {
  return operations.filter((operation) => isNeeded(operation) && operation.targets.length > 0);
}

/** A needed step that touches traffic: by what the run writes, or by what it asks the reader to do. A wait or a look of it does not. */
export function touchesTraffic({ status, effect, targets, act }: PlannedOperation): boolean {
  return isNeeded({ status }) && effect === 'traffic' && (targets.length > 0 || instructs(act));
}

/** Needed steps that only the reader can carry out: the run shows what to do, and looks whether it was done. */
export function yoursToDo({ operations }: Operations): PlannedOperation[] {
  return operations.filter((operation) => isNeeded(operation) && instructs(operation.act));
}

function instructs(act: Act): boolean {
  return act.kind === 'instruct' || (act.kind === 'sequence' && act.steps.some((step) => instructs(step.act)));
}

/** How many changes there are, how many of them have no way back, and how many steps touch traffic: those that are the reader's to do, too. */
export function stakesOf(plan: Operations): { changes: number; traffic: number; oneWay: number } {
  const changes = changesOf(plan);
  return {
    changes: changes.length,
    traffic: plan.operations.filter(touchesTraffic).length,
    oneWay: changes.filter(({ reversible }) => !reversible).length,
  };
}

/** What touches traffic, if only by a wait, or has no way back asks for the cluster's name first (product.md › Promises 2). */
export function asksForName({ operations }: Operations): boolean {
  return operations.some(
    (operation) => isNeeded(operation) && (operation.effect === 'traffic' || !operation.reversible),
  );
}
