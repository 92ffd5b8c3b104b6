'use client';

import { foldRun, type RunStreamEvent, type RunView } from '#lib/console/wire.ts';
import { type Live, useLive } from './use-live.ts';

/** A run as it goes, from the view that the page was rendered with. */
export function useRunView(cluster: string, run: string, initial: RunView): Live<RunView> {
  const url = `/api/clusters/${encodeURIComponent(cluster)}/runs/${encodeURIComponent(run)}/events`;
  return useLive<RunView, RunStreamEvent>(url, initial, foldRun);
}
