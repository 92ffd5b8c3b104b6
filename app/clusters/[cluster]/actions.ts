'use server';

import { refresh } from 'next/cache';
import { redirect } from 'next/navigation';
import { type Failure, type HostAnswer, host } from '#lib/console/host.ts';
import { draftPath } from '#lib/console/wizard/index.ts';
import type { Goal } from '#lib/spec/index.ts';
import { parsedSlug } from '../../parsed-form.ts';
import { forSession } from '../../session.ts';

/** Reads the facts again, runs the checks, and renders the page again. */
export async function checkFindingsAgain(cluster: unknown): Promise<HostAnswer<null>> {
  const answer = await forSession(async () => {
    const slug = parsedSlug(cluster);
    return slug.ok ? host().findings(slug.value, 'again') : slug;
  });
  if (!answer.ok) return answer;
  refresh();
  return { ok: true, value: null };
}

/** The same for a form without script. */
export async function checkAgain(cluster: unknown, _before: Failure | null): Promise<Failure | null> {
  const answer = await checkFindingsAgain(cluster);
  return answer.ok ? null : answer;
}

/** Creates a draft with all proposals accepted, a new one for each press; its page *Ready to switch* shows facts and plan. */
export async function enableEbpf(cluster: unknown, _before: Failure | null): Promise<Failure | null> {
  return newDraft(cluster, 'enable');
}

/** The same for *install*, also for an unfinished installation. */
export async function installCalico(cluster: unknown, _before: Failure | null): Promise<Failure | null> {
  return newDraft(cluster, 'install');
}

/** The same for *upgrade* to the proposed release. */
export async function upgradeCalico(cluster: unknown, _before: Failure | null): Promise<Failure | null> {
  return newDraft(cluster, 'upgrade');
}

/** The same for *restore*, which ends an outage; its draft starts at the review, because nothing is asked. */
export async function restoreProxy(cluster: unknown, _before: Failure | null): Promise<Failure | null> {
  return newDraft(cluster, 'restore');
}

async function newDraft(cluster: unknown, goal: Goal): Promise<Failure | null> {
  const answer = await forSession(async () => {
    const slug = parsedSlug(cluster);
    return slug.ok ? host().createDraft(slug.value, goal, 'accepted') : slug;
  });
  if (!answer.ok) return answer;
  redirect(draftPath(answer.value));
}
