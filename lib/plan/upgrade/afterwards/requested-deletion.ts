import { apiVersionOf, type ObjectRef, objectId, type Resource } from '#lib/spec/index.ts';
import { all } from '../../define-operation.ts';
import { withoutBookkeeping } from '../../diff/without-bookkeeping.ts';
import { fieldAt } from '../../objects/field.ts';
import { hasMasked } from '../../objects/has-masked.ts';
import { objectOf } from '../../objects/objects.ts';
import type { PlanContext, UndoDefinition } from '../../operation.ts';
import { ownField, stepsOf } from '../../pins/parts.ts';
import { exactly, type Fits, fits, listOf, type Pattern } from '../../pins/pattern.ts';
import { PlanError } from '../../plan-error.ts';
import type { Act } from '../../schema/act.ts';
import type { Condition } from '../../schema/condition.ts';

/** Deletion of objects of Calico that the administrator asked for, with a way back that creates them as they were. */

/** The objects among `refs` that exist. Throws a PlanError for one that was not read or has masked values, since the way back could not create it. */
export function existingOf(context: PlanContext, refs: readonly ObjectRef[]): ObjectRef[] {
  return refs.filter((ref) => {
    const object = objectOf(context.before, ref);
    if (object === undefined || hasMasked(object))
      throw new PlanError(
        'choices.afterwards',
        `afterwards: ${objectId(ref)} could not be read whole, so it could not be brought back.`,
        ['afterwards'],
      );
    return object !== null;
  });
}

/** The way back: each object as it was read before the step. */
export function recreationOf(context: PlanContext, targets: readonly ObjectRef[], title: string): UndoDefinition {
  const steps = targets.map((target): { act: Act; done: Condition } => ({
    act: { kind: 'recreate', target, body: withoutBookkeeping(objectOf(context.before, target)) },
    done: { kind: 'exists', target },
  }));
  return { title, act: { kind: 'sequence', steps }, done: all(...steps.map(({ done }) => done)), phase: 'options' };
}

/** Patterns of the step and its way back in a plan file, for objects of these kinds only. */
export function mayDelete(kinds: readonly { resource: Resource; name: Pattern; namespace?: Pattern }[]): {
  step: Fits;
  undo: Fits;
} {
  const one: Fits = (ref) =>
    kinds.some(({ resource, ...where }) => fits(ref, { resource: exactly(resource), ...where }));
  return {
    step: (step) => {
      const targets = ownField(ownField(step, 'act'), 'targets');
      return fits(step, {
        act: { kind: 'delete-all', targets: listOf(one), propagation: 'Background' },
        done: { kind: 'all-absent', targets: exactly(targets) },
      });
    },
    undo: (undo) => {
      const steps = stepsOf(ownField(undo, 'act'));
      const dones = steps.map((step) => ownField(step, 'done') as Condition);
      return fits(undo, {
        act: { kind: 'sequence', steps: (found: unknown) => Array.isArray(found) && found.every(isBack(one)) },
        done: exactly(all(...dones)),
        phase: 'options',
        pulls: exactly([]),
      });
    },
  };
}

const isBack = (one: Fits) => (step: unknown) => {
  const act = ownField(step, 'act');
  if (!fits(act, { kind: 'recreate', target: one, body: (body: unknown) => typeof body === 'object' })) return false;
  const { target, body } = act as Extract<Act, { kind: 'recreate' }>;
  return (
    body.apiVersion === apiVersionOf(target.resource) &&
    body.kind === target.resource.kind &&
    fieldAt(body, ['metadata', 'name']) === target.name &&
    fieldAt(body, ['metadata', 'namespace']) === target.namespace &&
    Object.keys(body).every((key) => ['apiVersion', 'kind', 'metadata', 'spec'].includes(key)) &&
    fits(ownField(step, 'done'), { kind: 'exists', target: exactly(target) })
  );
};
