'use server';

import { refresh } from 'next/cache';
import { z } from 'zod';
import { strangeForm } from '#app/parsed-form.ts';
import { forSession } from '#app/session.ts';
import { type HostAnswer, host } from '#lib/console/host.ts';

const discardSchema = z.object({ cluster: z.string().min(1).max(200), draft: z.string().min(1).max(200) });

const renameSchema = discardSchema.extend({ name: z.string().trim().max(60) });

/** Gives a draft a name of its own; an empty one takes it away. */
export async function renameDraft(_: HostAnswer<null> | null, form: FormData): Promise<HostAnswer<null>> {
  const answer = await forSession<null>(async () => {
    const asked = renameSchema.safeParse(Object.fromEntries(form));
    if (!asked.success)
      return { ok: false, code: 'form.invalid', message: 'A name has at most 60 characters. Nothing was changed.' };
    const { cluster, draft, name } = asked.data;
    return host().renameDraft(cluster, draft, name === '' ? null : name);
  });
  refresh();
  return answer;
}

/** Throws answers away that have not become a run. Sent twice, the second finds nothing, which is as good. */
export async function discardDraft(_: HostAnswer<null> | null, form: FormData): Promise<HostAnswer<null>> {
  const answer = await forSession<null>(async () => {
    const asked = discardSchema.safeParse(Object.fromEntries(form));
    if (!asked.success) return strangeForm;
    const discarded = await host().discardDraft(asked.data.cluster, asked.data.draft);
    return !discarded.ok && discarded.code === 'draft.not-found' ? { ok: true, value: null } : discarded;
  });
  refresh();
  return answer;
}
