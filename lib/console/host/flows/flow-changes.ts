import { parseQuery, windowOf } from '#lib/flows/in-browser.ts';
import { listRunsToShow, type RunMemory } from '#lib/run/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';
import { type KeptTraffic, timesOfRun, trafficSince } from '#lib/usecases/index.ts';
import type { FlowChanges, Slug } from '../../host.ts';
import type { FlowHistories } from '../../streams/index.ts';
import type { UsedCluster } from '../clusters/open-clusters.ts';
import { Refused } from '../refused.ts';
import { readReport } from '../runs/read-known-run.ts';

/** Number of runs that are offered for comparison. */
const mostRuns = 50;

/** The runs that can be compared with, and what changed since one of them. Throws Refused if `run` is none of them. */
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
  // The times of foreign runs cannot be trusted.
  const runs = listed
    .filter(({ foreign }) => foreign === null)
    .slice(0, mostRuns)
    .map(({ run, goal, startedAt }) => ({ run, goal, startedAt }));
  const run = asked.run ?? runs[0]?.run ?? null;
  if (run === null)
    return {
      runs,
      run,
      changes: null,
      because: 'This console has had no run on this cluster: there is nothing to compare with.',
    };
  if (!runs.some((one) => one.run === run))
    throw new Refused('run.not-found', 'This console carried no run of this name on this cluster.');
  const { report } = await readReport(used, run, memory);
  const { query } = parseQuery(asked.query);
  if (query.since === null && query.until === null) {
    // The kept comparison is shown even if the history cannot be read.
    const changes = await told.of(cluster, report);
    return { runs, run, changes, because: changes === null ? notRecorded : null };
  }
  const newest = (await histories.kept(cluster))?.newest() ?? 0;
  const window = windowOf(query, newest);
  const changes = await trafficSince(histories, cluster, report, window);
  if (changes !== null) return { runs, run, changes, because: null };
  const { comparedTimes } = await import('#lib/flows/index.ts');
  const isBefore = newest > 0 && comparedTimes(timesOfRun(report), window, newest) === null;
  return { runs, run, changes, because: isBefore ? notSince : notRecorded };
}

const notSince = 'Nothing of the time that is shown is since the run ended: choose a later one.';
const notRecorded = 'One of the two times was not recorded: flow logs were off, or this console kept no history.';
