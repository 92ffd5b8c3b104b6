import { type ObjectRef, objectId } from '#lib/spec/index.ts';
import type { Plan } from '../plan.ts';
import { targetsOf } from './objects.ts';

/** Every object that the plan changes, each once, in the order of first change: what a snapshot records. */
export function objectsWritten({ operations }: Pick<Plan, 'operations'>): ObjectRef[] {
  const written = operations.filter(({ status }) => status === 'needed').flatMap(({ act }) => targetsOf(act));
  return [...new Map(written.map((ref) => [objectId(ref), ref])).values()];
}
