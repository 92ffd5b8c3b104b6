import { type HostAnswer, host } from '#lib/console/host.ts';
import type { Answers, StepPlace } from '#lib/console/wizard/index.ts';

const attempts = 3;

/**
 * Applies an independent change, such as an acknowledgement, to the saved answers; retries if another tab was faster. `seen`: the revision that the page showed, for
 * answers that depend on it; fails with `draft.changed` if it is outdated.
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
