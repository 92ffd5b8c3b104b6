import type { V1Condition } from '@kubernetes/client-node';
import { readerOf } from './json.ts';
import { fields, listOf, numberOrNull, type Parsed, text, textOrNull } from './lenient.ts';

/** One of `status.conditions`, which has the same form in all kinds. `observedGeneration` is the generation that the writer saw, which may be an older one. */
const condition = fields({
  type: text,
  status: text,
  reason: textOrNull,
  message: textOrNull,
  lastTransitionTime: textOrNull,
  observedGeneration: numberOrNull,
});
export type ReadCondition = Parsed<typeof condition>;

export const conditions = listOf(condition);

const reader = readerOf<{ status: { conditions: V1Condition[] } }>()(fields({ status: fields({ conditions }) }));

/** `status.conditions` of an object of any kind; empty if there are none, or no object. */
export function conditionsOf(object: unknown): ReadCondition[] {
  return reader(object).status.conditions;
}

/** Whether the condition of this type is `True`. False if it is absent or `Unknown`. */
export function isTrue(conditions: readonly Pick<ReadCondition, 'type' | 'status'>[], type: string): boolean {
  return conditions.some((one) => one.type === type && one.status === 'True');
}
