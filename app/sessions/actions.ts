'use server';

import { refresh } from 'next/cache';
import { z } from 'zod';
import { strangeForm } from '#app/parsed-form.ts';
import { forSession } from '#app/session.ts';
import { type HostAnswer, host } from '#lib/console/host.ts';

const endSchema = z.object({ session: z.string().min(8).max(40) });

/** Signs another browser out. Succeeds if its session has ended already. */
export async function endSession(_: HostAnswer<null> | null, form: FormData): Promise<HostAnswer<null>> {
  const answer = await forSession<null>(async () => {
    const asked = endSchema.safeParse(Object.fromEntries(form));
    if (!asked.success) return strangeForm;
    await host().endSession(asked.data.session);
    return { ok: true, value: null };
  });
  refresh();
  return answer;
}
