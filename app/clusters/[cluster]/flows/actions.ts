'use server';

import { redirect } from 'next/navigation';
import { z } from 'zod';
import { type HostAnswer, host } from '#lib/console/host.ts';
import { draftPath } from '#lib/console/wizard/index.ts';
import { forSession } from '../../../session.ts';

const askedSchema = z.object({
  cluster: z.string().max(80),
  workload: z.string().max(1_000),
  query: z.string().max(10_000),
  shown: z.string().max(100),
});

/** Creates a draft whose plan creates the policy suggested for a workload; opens its review. */
export async function planSuggested(_before: unknown, form: FormData): Promise<HostAnswer<null>> {
  const answer = await forSession(async () => {
    const asked = askedSchema.safeParse(Object.fromEntries(form));
    if (!asked.success)
      return { ok: false as const, code: 'flows.question', message: 'This is not a workload of a cluster.' };
    const { cluster, shown, ...of } = asked.data;
    return host().planSuggested(cluster, of, shown);
  });
  if (!answer.ok) return answer;
  redirect(draftPath(answer.value));
}
