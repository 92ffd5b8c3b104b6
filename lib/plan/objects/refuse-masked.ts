import { PlanError } from '../plan-error.ts';
import { hasMasked } from './has-masked.ts';

/** Throws a PlanError for masked values: a plan holds the mask in their place, so that its way back, and an upgrade itself, would write that. */
export function refuseMasked(object: string, value: unknown): void {
  if (hasMasked(value))
    throw cannotPlan(
      object,
      'has a value that looks like a secret, which no plan may hold. Take it from a Secret (valueFrom)',
    );
}

/** The error for an object of which nothing can be planned yet. `because`: ends in what its administrator does about it. */
export function cannotPlan(object: string, because: string): PlanError {
  return new PlanError('goal.not-planned', `goal: ${object} ${because}, and plan again.`, ['goal']);
}
