import type { RunDetails, RunRequest } from '#lib/console/host.ts';

/** The page on which a foreign run is examined before it is carried on or undone; null if the button asks at once. Pure. */
export function lookThroughPage({
  cluster,
  run,
  action,
  isForeign,
  carriedBy,
}: {
  cluster: string;
  run: string;
  action: RunRequest['action'];
  isForeign: boolean;
  carriedBy: RunDetails['carriedBy'];
}): string | null {
  // The process that carries the run gets the request, and carries out its own plan.
  if (!isForeign || carriedBy !== 'nobody') return null;
  if (action === 'pause' || action === 'stop') return null;
  return `/clusters/${cluster}/runs/${run}/look-through?to=${action === 'undo' ? 'undo' : 'resume'}`;
}
