import type { Window } from '#lib/flows/in-browser.ts';
import type { ChangesOfRun } from '#lib/flows/index.ts';
import type { Report } from '#lib/run/index.ts';
import { resources } from '#lib/spec/index.ts';
import type { Slug } from '../../host.ts';
import type { FlowHistories, Live } from '../../streams/index.ts';
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

/** What a report in Markdown says of it, on lines of its own; nothing where nothing is known. */
export async function trafficAsMarkdown(changes: ChangesOfRun | null): Promise<string> {
  if (changes === null) return '';
  const { changesAsMarkdown } = await import('#lib/flows/index.ts');
  return `\n${changesAsMarkdown(changes)}`;
}

/** `window`: in place of the time since it ended. Null: no history of this cluster is kept, or it has nothing of before or since. */
export async function trafficSince(
  histories: Pick<FlowHistories, 'kept'>,
  cluster: string,
  report: Pick<Report, 'startedAt' | 'endedAt'>,
  window: Window | null = null,
): Promise<ChangesOfRun | null> {
  const history = await histories.kept(cluster);
  if (history === null) return null;
  const { changesInHistory } = await import('#lib/flows/index.ts');
  return changesInHistory(history, timesOfRun(report), window);
}

/** Seconds since the epoch; `ended` null: it goes on. */
export function timesOfRun({ startedAt, endedAt }: Pick<Report, 'startedAt' | 'endedAt'>) {
  const seconds = (time: string) => Date.parse(time) / 1000;
  return { begun: seconds(startedAt), ended: endedAt === null ? null : seconds(endedAt) };
}
