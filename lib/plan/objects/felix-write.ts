import type { Fields } from '#lib/base/records.ts';
import { apiVersionOf } from '#lib/spec/index.ts';
import { write, writeBack } from '../define-operation.ts';
import type { PlanContext } from '../operation.ts';
import type { Act } from '../schema/act.ts';
import type { Condition } from '../schema/condition.ts';
import { felix } from './object-refs.ts';
import { objectOf } from './objects.ts';

/**
 * Writes fields of FelixConfiguration `default`. If it does not exist, it is created with exactly these fields. Never `bpfEnabled`, which belongs to
 * the operator (calico.md §3.5, Ownership check).
 */
export function writeFelixFields(context: PlanContext, body: Fields): { act: Act; done: Condition } {
  const target = felix(context);
  const merge = write(target, body);
  if (objectOf(context.before, target)) return merge;
  const { kind } = target.resource;
  const created = { apiVersion: apiVersionOf(target.resource), kind, metadata: { name: target.name }, ...body };
  return { act: { kind: 'apply', target, body: created, force: false }, done: merge.done };
}

/** Restores the earlier values; deletes the object if it exists only because of us. */
export function writeFelixBack(context: PlanContext, body: Fields): { act: Act; done: Condition } {
  const target = felix(context);
  if (objectOf(context.facts.resources.objects, target)) return writeBack(context, target, body);
  return { act: { kind: 'delete', target, propagation: 'Background' }, done: { kind: 'absent', target } };
}
