import { type HostAnswer, host } from '#lib/console/host.ts';
import type { Answers, StepPlace } from '#lib/console/wizard/index.ts';

const attempts = 3;

/**
 * A change that stands for itself, such as one acknowledgement: made on what is kept now, again when another tab was a moment earlier. `seen`: the
 * revision that the page showed, for an answer whose words rest on it: refused with `draft.changed` where that is not the current one.
 */
export async function changeAnswers(
  { cluster, draft, step }: StepPlace,
  change: (answers: Answers) => Partial<Answers>,
  seen?: number,
): Promise<HostAnswer<null>> {
  for (let attempt = 1; ; attempt++) {
    const current = await host().draft(cluster, draft);
    if (!current.ok) return current;
    const { revision, answers } = current.value;
    const kept = await host().answer(cluster, draft, seen ?? revision, step, change(answers));
    if (kept.ok) return { ok: true, value: null };
    if (kept.code !== 'draft.changed' || seen !== undefined || attempt === attempts) return kept;
  }
}
