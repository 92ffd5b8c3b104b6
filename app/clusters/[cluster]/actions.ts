'use server';

import { refresh } from 'next/cache';
import { redirect } from 'next/navigation';
import { type Failure, type HostAnswer, host } from '#lib/console/host.ts';
import { draftPath } from '#lib/console/wizard/index.ts';
import type { Goal } from '#lib/spec/index.ts';
import { parsedSlug } from '../../parsed-form.ts';
import { forSession } from '../../session.ts';

/** Reads the facts again, checks them, and draws the page again. */
export async function checkFindingsAgain(cluster: unknown): Promise<HostAnswer<null>> {
  const answer = await forSession(async () => {
    const slug = parsedSlug(cluster);
    return slug.ok ? host().findings(slug.value, 'again') : slug;
  });
  if (!answer.ok) return answer;
  refresh();
  return { ok: true, value: null };
}

/** The same for a plain form. */
export async function checkAgain(cluster: unknown, _before: Failure | null): Promise<Failure | null> {
  const answer = await checkFindingsAgain(cluster);
  return answer.ok ? null : answer;
}

/** A draft of its own for each press, with what is proposed; its page *Ready to switch* shows what was found and what it comes to. */
export async function enableEbpf(cluster: unknown, _before: Failure | null): Promise<Failure | null> {
  return newDraft(cluster, 'enable');
}

/** The same with *install* chosen, also for what somebody began to install and did not finish. */
export async function installCalico(cluster: unknown, _before: Failure | null): Promise<Failure | null> {
  return newDraft(cluster, 'install');
}

/** The same with *upgrade* chosen, to the release that is proposed. */
export async function upgradeCalico(cluster: unknown, _before: Failure | null): Promise<Failure | null> {
  return newDraft(cluster, 'upgrade');
}

/** Out of an outage: nothing is asked, so its draft begins where the plan is reviewed and started. */
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
