'use server';

import { refresh } from 'next/cache';
import { type Failure, type HostAnswer, host } from '#lib/console/host.ts';
import { parsedSlug } from './parsed-form.ts';
import { forSession } from './session.ts';

/** The next use of a sandbox starts from its template again. */
export async function resetSandbox(cluster: unknown): Promise<HostAnswer<null>> {
  return forSession(async () => {
    const slug = parsedSlug(cluster);
    if (!slug.ok) return slug;
    const answer = await host().resetSandbox(slug.value);
    if (answer.ok) refresh();
    return answer;
  });
}

/** Asks a cluster that the list leaves alone: its credentials are sent, and the program that they come from runs. */
export async function askCluster(cluster: unknown, _before: Failure | null): Promise<Failure | null> {
  const answer = await forSession(async () => {
    const slug = parsedSlug(cluster);
    return slug.ok ? host().askCluster(slug.value) : slug;
  });
  if (!answer.ok) return answer;
  refresh();
  return null;
}
