'use server';

import { refresh } from 'next/cache';
import { z } from 'zod';
import { strangeForm } from '#app/parsed-form.ts';
import { forSession } from '#app/session.ts';
import { type HostAnswer, host } from '#lib/console/host.ts';

const discardSchema = z.object({ cluster: z.string().min(1).max(200), draft: z.string().min(1).max(200) });

const renameSchema = discardSchema.extend({ name: z.string().trim().max(60) });

/** Gives a draft a name; an empty one removes it. */
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

/** Deletes a draft. Succeeds if it is deleted already. */
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
