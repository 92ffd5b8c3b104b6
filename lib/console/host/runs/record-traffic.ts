import { resources } from '#lib/spec/index.ts';
import type { Slug } from '../../host.ts';
import type { Live } from '../../streams/index.ts';
import type { OpenClusters } from '../clusters/open-clusters.ts';

/** Records flows from a few minutes before a run on, if flow logs are on, whether or not a page follows them. */
export async function recordTraffic(
  cluster: Slug,
  {
    clusters,
    live,
    signal,
  }: { clusters: Pick<OpenClusters, 'using'>; live: Pick<Live, 'recordFlows'>; signal: AbortSignal },
): Promise<void> {
  const aggregator = await clusters
    .using(cluster, ({ kube }) => kube.get({ resource: resources.goldmanes, name: 'default' }))
    // If flow logs cannot be read, the run goes on; it reports itself what matters to it.
    .catch(() => null);
  if (aggregator !== null && !signal.aborted) live.recordFlows(cluster);
}

/** How long after a run flows are compared. They arrive at most 45 s late (calico.md §6.3); one minute says little about pairs that talk rarely. */
const evidenceMs = 180_000;
/** Time for the history to store what was recorded. */
const recordedMs = 15_000;

/** Keeps the comparison of flows before and after a run that is over, even if nobody opens its page. `record` records the minutes after it, `keep` compares. */
export async function trafficAfter({
  ended,
  record,
  keep,
  wait,
}: {
  ended: Promise<void>;
  record: () => Promise<void>;
  keep: () => Promise<void>;
  /** Rejects if the console stops meanwhile. */
  wait: (ms: number) => Promise<void>;
}): Promise<void> {
  await ended;
  await wait(evidenceMs);
  await record();
  await wait(recordedMs);
  await keep();
}
