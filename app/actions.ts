'use server';

import { refresh } from 'next/cache';
import { z } from 'zod';
import { type Failure, type HostAnswer, host } from '#lib/console/host.ts';
import { forSession } from './session.ts';

const slugSchema = z.string().regex(/^[a-z0-9-]{1,80}$/);

/** The next use of a sandbox starts from its template again. */
export async function resetSandbox(cluster: unknown): Promise<HostAnswer<null>> {
  return forSession(async () => {
    const parsed = slugSchema.safeParse(cluster);
    if (!parsed.success) return { ok: false, code: 'cluster.form', message: 'No cluster has this name.' };
    const answer = await host().resetSandbox(parsed.data);
    if (answer.ok) refresh();
    return answer;
  });
}

/** Asks a cluster that the list leaves alone: its credentials are sent, and the program that they come from runs. */
export async function askCluster(cluster: unknown, _before: Failure | null): Promise<Failure | null> {
  const answer = await forSession(async () => {
    const parsed = slugSchema.safeParse(cluster);
    if (!parsed.success) return { ok: false, code: 'cluster.form', message: 'No cluster has this name.' };
    return host().askCluster(parsed.data);
  });
  if (!answer.ok) return answer;
  refresh();
  return null;
}
