import { isDeepStrictEqual } from 'node:util';
import type { Fields } from '#lib/base/records.ts';
import { cleanupFlagPath, objectId } from '#lib/spec/index.ts';
import { write } from '../define-operation.ts';
import type { PlanContext } from '../operation.ts';
import type { Act } from '../schema/act.ts';
import type { Condition } from '../schema/condition.ts';
import { writeFelixBack } from './felix-write.ts';
import { fieldAt, patchAt } from './field.ts';
import { felix } from './object-refs.ts';
import { objectOf } from './objects.ts';

/** The flag that keeps Calico's agent from deleting the service proxy's rules (spec › Set cleanup flag). */
export const cleanupOff: Fields = { spec: { bpfKubeProxyIptablesCleanupEnabled: false } };

type Known = Pick<PlanContext, 'facts'>;

/** What an unfinished run left in the flag, with the value before it; null if the flag is as its administrator wants it. */
export function leftInCleanupFlag({ facts }: Known) {
  const target = objectId(felix({ facts }));
  const left = facts.resources.leftBehind;
  return left.find(({ object, path }) => object === target && isDeepStrictEqual(path, cleanupFlagPath)) ?? null;
}

/** Restores the flag to its value before any run of ours: the value that was read, or the one that an abandoned run found. */
export function earlierCleanup(context: Known): { act: Act; done: Condition } {
  const target = felix(context);
  const left = leftInCleanupFlag(context);
  const read = fieldAt(objectOf(context.facts.resources.objects, target), cleanupFlagPath);
  const value = left === null ? (read ?? null) : (left.before ?? null);
  return write(target, patchAt(cleanupFlagPath, value));
}

/** The undo of a write of the flag: `earlierCleanup`, or the deletion of a FelixConfiguration that this plan created. */
export function cleanupBack(context: PlanContext): { act: Act; done: Condition } {
  return leftInCleanupFlag(context) === null ? writeFelixBack(context, cleanupOff) : earlierCleanup(context);
}
