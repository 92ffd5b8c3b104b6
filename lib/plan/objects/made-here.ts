import type { ObjectRef } from '#lib/spec/index.ts';
import type { Act, Condition } from '../act.ts';
import type { PlanContext } from '../operation.ts';
import { installation } from './object-refs.ts';
import { objectOf } from './objects.ts';

/** Objects that *install* makes, and how they go again. */

/** It was looked for and is not there: the plan makes it, and its undo takes it away. */
export function isMadeHere({ facts }: Pick<PlanContext, 'facts'>, ref: ObjectRef): boolean {
  return objectOf(facts.resources.objects, ref) === null;
}

/** There was no Installation: nothing of Calico runs before the plan, nor after its undo. */
export function isFresh(context: Pick<PlanContext, 'facts' | 'choices'>): boolean {
  return context.choices.goal === 'install' && isMadeHere(context, installation);
}

export type Part = { act: Act; done: Condition };

/** Of a workload its pods go first, so that its absence says that nothing of it runs any more. */
export function removal(target: ObjectRef): Part {
  const propagation = target.resource.group === 'apps' ? 'Foreground' : 'Background';
  return { act: { kind: 'delete', target, propagation }, done: { kind: 'absent', target } };
}

/** Of objects none of which needs another to be gone first: 32 definitions, each awaited before the next, take half a minute. */
export function removalOfAll(targets: ObjectRef[]): Part {
  return { act: { kind: 'delete-all', targets, propagation: 'Background' }, done: { kind: 'all-absent', targets } };
}
