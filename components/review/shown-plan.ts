import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Plan } from '#lib/plan/index.ts';

/** The shown plan in a form that is small enough to be sent with the form, to list differences to another plan. */
export const shownPlanSchema = z.array(z.object({ id: z.string(), title: z.string(), digest: z.string() })).max(100);
export type ShownPlan = z.infer<typeof shownPlanSchema>;

export function shownPlan({ operations }: Pick<Plan, 'operations'>): ShownPlan {
  return operations.map(({ id, title, status, act, diff }) => ({
    id,
    title,
    digest: createHash('sha256')
      .update(JSON.stringify([status, act, diff]))
      .digest('hex')
      .slice(0, 16),
  }));
}

/** Sentences about added, removed and changed operations. Repeated ids are compared in order. Pure. */
export function planChanges(before: ShownPlan, after: ShownPlan): string[] {
  const keyed = (plan: ShownPlan) =>
    new Map(
      plan.map((one, index) => [`${one.id} ${plan.slice(0, index).filter(({ id }) => id === one.id).length}`, one]),
    );
  const [old, now] = [keyed(before), keyed(after)];
  return [
    ...[...now].filter(([key]) => !old.has(key)).map(([, { title }]) => `New: ${title}`),
    ...[...old].filter(([key]) => !now.has(key)).map(([, { title }]) => `No longer there: ${title}`),
    ...[...now]
      .filter(([key, { digest }]) => old.has(key) && old.get(key)?.digest !== digest)
      .map(([, { title }]) => `Does something else now: ${title}`),
  ];
}
