import { setTimeout as passed } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { RunState } from '#lib/run/index.ts';
import type { Slug } from '../../host.ts';
import type { RunView } from '../../wire.ts';

const catchesUpWithinMs = 2_000;
const lookEveryMs = 20;

/** RunView.revision at which the run entered this state. Waits a moment if the view is behind the journal. */
export async function turnedAt(
  viewOfRun: (cluster: Slug, run: string) => Promise<RunView>,
  cluster: Slug,
  run: string,
  state: RunState,
): Promise<number> {
  const began = performance.now();
  for (;;) {
    const view = await viewOfRun(cluster, run);
    if (isDeepStrictEqual(view.state, state)) return view.turnedAt;
    // The run has changed its state again, or is not followed: no page shows anything newer than this.
    if (performance.now() - began > catchesUpWithinMs) return view.revision;
    await passed(lookEveryMs);
  }
}
