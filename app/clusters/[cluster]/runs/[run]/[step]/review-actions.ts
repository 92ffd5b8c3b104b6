'use server';

import { refresh } from 'next/cache';
import { z } from 'zod';
import { strangeForm } from '#app/parsed-form.ts';
import { forSession } from '#app/session.ts';
import type { Started } from '#components/actions.tsx';
import { planChanges, shownPlan } from '#components/review/shown-plan.ts';
import { type HostAnswer, host } from '#lib/console/host.ts';
import { startSchema } from './start-schema.ts';

/** Starts the reviewed plan. If sent twice, it starts once; the host returns the same run. */
export async function startReviewed(_: Started | null, form: FormData): Promise<Started> {
  const changes: string[] = [];
  const answer = await forSession(async () => {
    const asked = startSchema.safeParse({ confirmation: null, ...Object.fromEntries(form) });
    if (!asked.success) return strangeForm;
    const { cluster, draft, revision, planHash, confirmation, shown } = asked.data;
    const given = confirmation === null ? null : confirmation.trim();
    const started = await host().start(cluster, draft, { revision, planHash, confirmation: given });
    if (!started.ok && started.code === 'plan.changed') {
      const now = await host().review(cluster, draft, 'kept');
      if (now.ok) changes.push(...planChanges(shown, shownPlan(now.value.plan)));
    }
    return started;
  });
  // The page beside the form must show the plan that the next click would start.
  if (!answer.ok && (answer.code === 'plan.changed' || answer.code === 'draft.changed')) refresh();
  return { answer, changes };
}

const again = z.object({ cluster: z.string().max(200), draft: z.string().max(200) });

/** Reads the cluster again and rebuilds the plan with its dry runs. */
export async function reviewAgain(_: HostAnswer<null> | null, form: FormData): Promise<HostAnswer<null>> {
  const answer = await forSession<null>(async () => {
    const asked = again.safeParse(Object.fromEntries(form));
    if (!asked.success) return strangeForm;
    const made = await host().review(asked.data.cluster, asked.data.draft, 'again');
    return made.ok ? { ok: true, value: null } : made;
  });
  refresh();
  return answer;
}
