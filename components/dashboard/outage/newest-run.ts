import { cache } from 'react';
import { host, type Slug } from '#lib/console/host.ts';
import type { RunView } from '#lib/console/wire.ts';
import type { ShownRun } from '#lib/run/index.ts';

/** `run`: null if there is none, or none may be read. `unread`: why runs, or what this one did, could not be read; null: they were. */
type NewestRun = { run: { shown: ShownRun; view: RunView | null } | null; unread: string | null };

/** The last run on a cluster, with its steps and the answers of its nodes. All parts of a page share one reading. */
export const newestRun = cache(async (cluster: Slug): Promise<NewestRun> => {
  const runs = await host()
    .runs(cluster)
    .catch(() => null);
  if (!runs?.ok) return { run: null, unread: runs?.message ?? 'The runs of the cluster could not be read.' };
  const [shown] = runs.value.runs;
  if (shown === undefined) return { run: null, unread: null };
  const details = await host()
    .run(cluster, shown.run)
    .catch(() => null);
  if (details?.ok) return { run: { shown, view: details.value.view }, unread: null };
  return { run: { shown, view: null }, unread: details?.message ?? `Run ${shown.run} could not be read.` };
});
