'use server';

import { refresh } from 'next/cache';
import { type Failure, type HostAnswer, host } from '#lib/console/host.ts';
import { parsedSlug } from './parsed-form.ts';
import { forSession } from './session.ts';

/** Resets a sandbox: its next use starts from its template. */
export async function resetSandbox(cluster: unknown): Promise<HostAnswer<null>> {
  return forSession(async () => {
    const slug = parsedSlug(cluster);
    if (!slug.ok) return slug;
    const answer = await host().resetSandbox(slug.value);
    if (answer.ok) refresh();
    return answer;
  });
}

/** Sends a request to a cluster that the list does not ask unasked: with its credentials, for which their program may run. */
export async function askCluster(cluster: unknown, _before: Failure | null): Promise<Failure | null> {
  const answer = await forSession(async () => {
    const slug = parsedSlug(cluster);
    return slug.ok ? host().askCluster(slug.value) : slug;
  });
  if (!answer.ok) return answer;
  refresh();
  return null;
}
