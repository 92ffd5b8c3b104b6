import { cache } from 'react';
import { host, type Slug } from '#lib/console/host.ts';
import type { RunView } from '#lib/console/wire.ts';
import type { ShownRun } from '#lib/run/index.ts';

/** A run with its steps and the answers of its nodes; `view`: null if they could not be read. */
export type LastRun = { shown: ShownRun; view: RunView | null };

/** `unread`: why runs, or what one of them did, could not be read; null: they were. */
type LastRuns = { runs: readonly LastRun[]; unread: string | null };

/**
 * The run that came last on a cluster, and the last one of this installation if that is another: anybody may write a journal that looks newer. All parts of a
 * page share one reading.
 */
export const lastRuns = cache(async (cluster: Slug): Promise<LastRuns> => {
  const answer = await host()
    .runs(cluster)
    .catch(() => null);
  if (!answer?.ok) return { runs: [], unread: answer?.message ?? 'The runs of the cluster could not be read.' };
  const { runs } = answer.value;
  const last = new Set([...runs.slice(0, 1), ...runs.filter(({ foreign }) => foreign === null).slice(0, 1)]);
  const read = await Promise.all([...last].map((shown) => withView(cluster, shown)));
  return { runs: read, unread: read.find(({ unread }) => unread !== null)?.unread ?? null };
});

async function withView(cluster: Slug, shown: ShownRun): Promise<LastRun & Pick<LastRuns, 'unread'>> {
  const details = await host()
    .run(cluster, shown.run)
    .catch(() => null);
  if (details?.ok) return { shown, view: details.value.view, unread: null };
  return { shown, view: null, unread: details?.message ?? `Run ${shown.run} could not be read.` };
}
