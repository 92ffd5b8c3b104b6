'use server';

import { forSession } from '#app/session.ts';
import { placeSchema } from '#components/wizard/place-schema.ts';
import { type HostAnswer, host } from '#lib/console/host.ts';
import type { StepPlace } from '#lib/console/wizard/index.ts';
import { type FieldSchema, installationSchema } from '#lib/installation/index.ts';

/** What the chosen release knows of an Installation's fields, for completion and errors in the YAML; null while its files are not there. */
export async function fieldsOfRelease(given: StepPlace): Promise<HostAnswer<FieldSchema | null>> {
  return forSession(async () => {
    const { cluster, draft } = placeSchema.parse(given);
    const assessed = await host().assess(cluster, draft, 'kept');
    if (!assessed.ok) return assessed;
    const { contents } = assessed.value;
    return { ok: true, value: contents && installationSchema(contents) };
  });
}
