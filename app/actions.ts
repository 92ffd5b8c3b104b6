'use server';

import { refresh } from 'next/cache';
import { z } from 'zod';
import { type Answer, host } from '#lib/console/host.ts';
import { forSession } from './session.ts';

const slugSchema = z.string().regex(/^[a-z0-9-]{1,80}$/);

/** The next use of a sandbox starts from its template again. */
export async function resetSandbox(cluster: unknown): Promise<Answer<null>> {
  return forSession(async () => {
    const parsed = slugSchema.safeParse(cluster);
    if (!parsed.success) return { ok: false, code: 'cluster.form', message: 'That is not the name of a cluster.' };
    const answer = await host().resetSandbox(parsed.data);
    if (answer.ok) refresh();
    return answer;
  });
}
