import type { V1Condition } from '@kubernetes/client-node';
import { readerOf } from './json.ts';
import { fields, listOf, numberOrNull, type Parsed, text, textOrNull } from './lenient.ts';

/** One of `status.conditions`, which all kinds write alike. `observedGeneration` is of the object that the writer had seen, which may be another one. */
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

/** `status.conditions` of an object of any kind, or of none; empty where nobody has written any. */
export function conditionsOf(object: unknown): ReadCondition[] {
  return reader(object).status.conditions;
}

/** Whether a condition of this type says `True`. One that is not there says nothing, as one that is `Unknown`. */
export function isTrue(told: readonly Pick<ReadCondition, 'type' | 'status'>[], type: string): boolean {
  return told.some((one) => one.type === type && one.status === 'True');
}
