import { parseQuery, windowOf } from '#lib/flows/in-browser.ts';
import { listRunsToShow, type RunMemory } from '#lib/run/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';
import type { FlowChanges, Slug } from '../../host.ts';
import type { FlowHistories } from '../../streams/index.ts';
import type { UsedCluster } from '../clusters/open-clusters.ts';
import { Refused } from '../refused.ts';
import type { KeptTraffic } from '../runs/kept-traffic.ts';
import { readReport } from '../runs/read-known-run.ts';
import { trafficSince } from '../runs/traffic-since.ts';

/** So many runs are offered to compare with. */
const mostRuns = 50;

/** The runs that can be compared with, and what changed since one of them. Throws Refused where `run` is none of them. */
export async function flowChanges(
  {
    used,
    cluster,
    histories,
    told,
    memory,
  }: {
    used: UsedCluster;
    cluster: Slug;
    histories: Pick<FlowHistories, 'kept'>;
    told: KeptTraffic;
    memory: RunMemory;
  },
  asked: { run: string | null; query: string },
): Promise<FlowChanges> {
  const listed = await listRunsToShow(used.kube, journalNamespaces, async () => memory);
  // Times of the others are somebody else's word.
  const runs = listed
    .filter(({ foreign }) => foreign === null)
    .slice(0, mostRuns)
    .map(({ run, goal, startedAt }) => ({ run, goal, startedAt }));
  const run = asked.run ?? runs[0]?.run ?? null;
  if (run === null) return { runs, run, changes: null };
  if (!runs.some((one) => one.run === run))
    throw new Refused('run.not-found', 'This console carried no run of this name on this cluster.');
  const { report } = await readReport(used, run, memory);
  const history = await histories.kept(cluster);
  const window = windowOf(parseQuery(asked.query).query, history?.newest() ?? 0);
  const changes =
    window === null ? await told.of(cluster, report) : await trafficSince(histories, cluster, report, window);
  return { runs, run, changes };
}
