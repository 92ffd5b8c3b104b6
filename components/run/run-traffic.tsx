import { isFlowChanges } from '#components/flows/changes/is-flow-changes.ts';
import { useAnswer } from '#components/flows/use-answer.ts';
import { TrafficSince } from '#components/runs/traffic-since.tsx';
import type { FlowChanges } from '#lib/console/host.ts';

/** Agents report flows some 45 s late. */
const everyMs = 30_000;

/**
 * Pairs that talked before the run and are denied or silent since, by flow logs; nothing if none were recorded. `isAway`: the cluster does not
 * answer, so its runs cannot be read; what was read stays.
 */
export function RunTraffic({ cluster, run, isAway }: { cluster: string; run: string; isAway: boolean }) {
  const path = `/api/clusters/${encodeURIComponent(cluster)}/flows/changes?${new URLSearchParams({ run })}`;
  const { read } = useAnswer<FlowChanges>(isAway ? null : path, everyMs, isFlowChanges);
  if (read === null || read.changes === null) return null;
  return <TrafficSince changes={read.changes} />;
}
