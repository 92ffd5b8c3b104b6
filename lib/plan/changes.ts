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

/** How many changes there are, and how many of them touch traffic or have no way back. */
export function stakesOf(plan: Operations): { changes: number; traffic: number; oneWay: number } {
  const changes = changesOf(plan);
  return {
    changes: changes.length,
    traffic: changes.filter(({ effect }) => effect === 'traffic').length,
    oneWay: changes.filter(({ reversible }) => !reversible).length,
  };
}

/** What touches traffic, if only by a wait, or has no way back asks for the cluster's name first (product.md › Promises 2). */
export function asksForName({ operations }: Operations): boolean {
  return operations.some(
    (operation) => isNeeded(operation) && (operation.effect === 'traffic' || !operation.reversible),
  );
}
