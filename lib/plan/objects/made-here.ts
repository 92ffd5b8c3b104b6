import type { ObjectRef } from '#lib/spec/index.ts';
import type { PlanContext } from '../operation.ts';
import type { Act } from '../schema/act.ts';
import type { Condition } from '../schema/condition.ts';
import { installation } from './object-refs.ts';
import { objectOf } from './objects.ts';

/** Objects that *install* creates, and how they are removed. */

/** The object was looked for and does not exist: the plan creates it, and its undo deletes it. */
export function isMadeHere({ facts }: Pick<PlanContext, 'facts'>, ref: ObjectRef): boolean {
  return objectOf(facts.resources.objects, ref) === null;
}

/** There was no Installation: nothing of Calico runs before the plan, or after its undo. */
export function isFresh(context: Pick<PlanContext, 'facts' | 'choices'>): boolean {
  return context.choices.goal === 'install' && isMadeHere(context, installation);
}

export type Part = { act: Act; done: Condition };

/** Deletes an object. With a workload its pods are deleted first, so that its absence means that none of it runs. */
export function removal(target: ObjectRef): Part {
  const propagation = target.resource.group === 'apps' ? 'Foreground' : 'Background';
  return { act: { kind: 'delete', target, propagation }, done: { kind: 'absent', target } };
}

/** Deletes objects that need no order: 32 definitions, each awaited before the next, take half a minute. */
export function removalOfAll(targets: ObjectRef[]): Part {
  return { act: { kind: 'delete-all', targets, propagation: 'Background' }, done: { kind: 'all-absent', targets } };
}
