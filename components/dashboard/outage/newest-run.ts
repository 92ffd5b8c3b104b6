import { cache } from 'react';
import { host, type Slug } from '#lib/console/host.ts';
import type { RunView } from '#lib/console/wire.ts';
import type { ShownRun } from '#lib/run/index.ts';

/** The run that came last, with its steps and what its nodes answered; null: none, or none may be read. All parts of a page share one reading. */
export const newestRun = cache(async (cluster: Slug): Promise<{ shown: ShownRun; view: RunView | null } | null> => {
  const runs = await host()
    .runs(cluster)
    .catch(() => null);
  const shown = runs?.ok ? runs.value.runs[0] : undefined;
  if (shown === undefined) return null;
  const details = await host()
    .run(cluster, shown.run)
    .catch(() => null);
  return { shown, view: details?.ok ? details.value.view : null };
});
