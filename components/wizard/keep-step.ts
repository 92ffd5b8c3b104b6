import { type HostAnswer, host } from '#lib/console/host.ts';
import { isFormStep, type SavedAnswers, type StepPlace, stepForms } from '#lib/console/wizard/index.ts';

/** Parses a step's fields with its schema and saves them. */
export async function keepStep(
  { cluster, draft, step }: StepPlace,
  revision: number,
  fields: unknown,
): Promise<HostAnswer<SavedAnswers>> {
  if (!isFormStep(step)) return { ok: false, code: 'step.no-form', message: 'This step asks for no answers.' };
  const current = await host().draft(cluster, draft);
  if (!current.ok) return current;
  const parsed = stepForms[step].parse(fields, current.value.answers);
  if (!parsed.ok)
    return { ok: false, code: 'step.form', message: Object.values(parsed.fields).join(' '), fields: parsed.fields };
  const kept = await host().answer(cluster, draft, revision, step, parsed.answers);
  if (!kept.ok) return kept;
  return { ok: true, value: { revision: kept.value.revision, values: stepForms[step].read(kept.value.answers) } };
}

/** The saved values of a step; null if the draft does not exist. */
export async function keptStep({ cluster, draft, step }: StepPlace): Promise<SavedAnswers | null> {
  const now = await host().draft(cluster, draft);
  if (!now.ok || !isFormStep(step)) return null;
  return { revision: now.value.revision, values: stepForms[step].read(now.value.answers) };
}
