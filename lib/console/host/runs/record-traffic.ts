import { resources } from '#lib/spec/index.ts';
import type { Slug } from '../../host.ts';
import type { Live } from '../../streams/index.ts';
import type { OpenClusters } from '../clusters/open-clusters.ts';

/** Where flow logs are on they are recorded from some minutes before a run on, whether or not somebody looks at them. */
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
    // Whatever keeps it from being read: the run tells of what concerns it.
    .catch(() => null);
  if (aggregator !== null && !signal.aborted) live.recordFlows(cluster);
}

/** Flows are told 45 s late at most (calico.md §6.3), and one minute says little of who talks seldom. */
const toldMs = 180_000;
/** What was recorded is in the history by then. */
const recordedMs = 15_000;

/** Keeps of a run that is over what flows said of it, also where nobody opens its page: `record` takes the minutes since, `keep` compares. */
export async function trafficAfter({
  ended,
  record,
  keep,
  wait,
}: {
  ended: Promise<void>;
  record: () => Promise<void>;
  keep: () => Promise<void>;
  /** Rejects where the console ends meanwhile. */
  wait: (ms: number) => Promise<void>;
}): Promise<void> {
  await ended;
  await wait(toldMs);
  await record();
  await wait(recordedMs);
  await keep();
}
