'use server';

import { refresh } from 'next/cache';
import type { ZodError } from 'zod';
import { strangeForm } from '#app/parsed-form.ts';
import { forSession } from '#app/session.ts';
import { type Failure, type HostAnswer, host, type RequestTiming } from '#lib/console/host.ts';
import { requestSchema, takeUpSchema } from './request-schema.ts';

/** Pauses, resumes, stops, undoes or takes over a run. A replay fails with `run.changed` and changes nothing. */
export async function askRun(_: HostAnswer<RequestTiming> | null, form: FormData): Promise<HostAnswer<RequestTiming>> {
  const answer = await forSession<RequestTiming>(async () => {
    const asked = requestSchema.safeParse(Object.fromEntries(form));
    if (!asked.success) return invalid(asked.error);
    const { cluster, run, action, revision, acknowledge, confirmation } = asked.data;
    return host().ask(cluster, run, {
      action,
      revision,
      ...(acknowledge === undefined ? {} : { acknowledge }),
      ...(confirmation === undefined ? {} : { confirmation }),
    });
  });
  // The server decides who carries the run and what is possible next.
  refresh();
  return answer;
}

/** Continues a foreign run exactly as examined; returns the run that is carried now. */
export async function takeUpRun(
  _: HostAnswer<{ run: string }> | null,
  form: FormData,
): Promise<HostAnswer<{ run: string }>> {
  return forSession<{ run: string }>(async () => {
    const asked = takeUpSchema.safeParse(Object.fromEntries(form));
    if (!asked.success) return invalid(asked.error);
    const { cluster, run, ...rest } = asked.data;
    return host().takeUp(cluster, run, rest);
  });
}

function invalid({ issues }: ZodError): Failure {
  const fields = Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), message]));
  return { ...strangeForm, message: Object.values(fields)[0] ?? strangeForm.message, fields };
}
