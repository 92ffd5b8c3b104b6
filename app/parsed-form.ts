import { z } from 'zod';
import type { Failure, HostAnswer } from '#lib/console/host.ts';

/** The failure for unexpected form fields: from an old tab, or a request that no page made. */
export const strangeForm: Failure = {
  ok: false,
  code: 'form.invalid',
  message: 'This form belongs to another page. Load this page again.',
};

const slugSchema = z.string().regex(/^[a-z0-9-]{1,80}$/);

/** The slug of a cluster from a form. The host decides whether it exists. */
export function parsedSlug(value: unknown): HostAnswer<string> {
  const { success, data } = slugSchema.safeParse(value);
  return success
    ? { ok: true, value: data }
    : { ok: false, code: 'cluster.form', message: 'No cluster has this name.' };
}
