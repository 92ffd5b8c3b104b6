import type { ConfirmedRun, Releases, RunContext } from '#lib/run/index.ts';
import { lookThroughForeignRun } from '#lib/usecases/index.ts';

/** The confirmation of a user who has examined a foreign run. Throws if there is nothing to examine, or if something prevents the run. */
export async function lookedThrough(
  context: Pick<RunContext, 'kube' | 'clock' | 'journalNamespaces' | 'memory' | 'manifests' | 'signal'> & {
    releases?: Releases;
  },
  run: string,
  how: 'resume' | 'undo',
): Promise<ConfirmedRun> {
  const review = await lookThroughForeignRun(context, run, how);
  if (review === null) throw new Error(`Run ${run} is no foreign one.`);
  if (review.problems.length > 0) throw new Error(review.problems.map(({ message }) => message).join('\n'));
  if (review.continuation === null) throw new Error(`Nothing can be done about run ${run}.`);
  return { digest: review.digest, ...review.continuation };
}
