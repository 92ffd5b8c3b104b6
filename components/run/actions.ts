'use server';

import { refresh } from 'next/cache';
import { forSession } from '#app/session.ts';
import { type Answer, type Heard, host } from '#lib/console/host.ts';
import { requestSchema } from './request-schema.ts';

/** Asks for a run to be paused, carried on, stopped, taken back or taken over. A replay answers `run.changed` and changes nothing. */
export async function askRun(_: Answer<Heard> | null, form: FormData): Promise<Answer<Heard>> {
  const answer = await forSession<Heard>(async () => {
    const asked = requestSchema.safeParse(Object.fromEntries(form));
    if (!asked.success) {
      const fields = Object.fromEntries(asked.error.issues.map(({ path, message }) => [path.join('.'), message]));
      return {
        ok: false,
        code: 'form.invalid',
        message: Object.values(fields)[0] ?? 'This form is not of this page.',
        fields,
      };
    }
    const { cluster, run, action, revision, acknowledge, confirmation } = asked.data;
    return host().ask(cluster, run, {
      action,
      revision,
      ...(acknowledge === undefined ? {} : { acknowledge }),
      ...(confirmation === undefined ? {} : { confirmation }),
    });
  });
  // Who carries the run, and what may be asked of it next, is the server's to say.
  refresh();
  return answer;
}
