import { parseQuery, type Window, windowOf } from '#lib/flows/in-browser.ts';
import { listRunsToShow, type RunMemory } from '#lib/run/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';
import { type KeptTraffic, timesOfRun, trafficSince } from '#lib/usecases/index.ts';
import type { FlowChanges, Slug } from '../../host.ts';
import type { FlowHistories } from '../../streams/index.ts';
import type { UsedCluster } from '../clusters/open-clusters.ts';
import { Refused } from '../refused.ts';
import { readReport } from '../runs/read-known-run.ts';
import { type ComparedTime, unrecordedWords } from './unrecorded-words.ts';

/** Number of runs that are offered for comparison. */
const mostRuns = 50;

/** The runs that can be compared with, and what changed since one of them. Throws Refused if `run` is none of them. */
export async function flowChanges(
  {
    used,
    cluster,
    histories,
    runTraffic,
    memory,
  }: {
    used: UsedCluster;
    cluster: Slug;
    histories: Pick<FlowHistories, 'existing'>;
    runTraffic: KeptTraffic;
    memory: RunMemory;
  },
  request: { run: string | null; query: string },
): Promise<FlowChanges> {
  const listed = await listRunsToShow(used.kube, journalNamespaces, async () => memory);
  // The times of foreign runs cannot be trusted.
  const runs = listed
    .filter(({ foreign }) => foreign === null)
    .slice(0, mostRuns)
    .map(({ run, goal, startedAt }) => ({ run, goal, startedAt }));
  const run = request.run ?? runs[0]?.run ?? null;
  if (run === null)
    return {
      runs,
      run,
      changes: null,
      because: 'This console has had no run on this cluster: there is nothing to compare with.',
    };
  if (!runs.some((one) => one.run === run))
    throw new Refused('run.not-found', 'This console has no run of this name on this cluster.');
  const { report } = await readReport(used, run, memory);
  const { query } = parseQuery(request.query);
  if (query.since === null && query.until === null) {
    // The kept comparison is shown even if the history cannot be read.
    const changes = await runTraffic.of(cluster, report);
    const because = changes === null ? await whyNot(histories, cluster, report, null, 'since-run') : null;
    return { runs, run, changes, because };
  }
  const newest = (await histories.existing(cluster))?.newest() ?? 0;
  const window = windowOf(query, newest);
  const changes = await trafficSince(histories, cluster, report, window);
  const compared = query.until === null ? 'until-now' : 'ended';
  const because = changes === null ? await whyNot(histories, cluster, report, window, compared) : null;
  return { runs, run, changes, because };
}

/** Why there is no comparison. */
async function whyNot(
  histories: Pick<FlowHistories, 'existing'>,
  cluster: Slug,
  report: Parameters<typeof timesOfRun>[0],
  window: Window | null,
  compared: ComparedTime,
): Promise<string> {
  const { unrecordedTimes } = await import('#lib/flows/index.ts');
  const unrecorded = async () => unrecordedTimes(await histories.existing(cluster), timesOfRun(report), window);
  return unrecordedWords(await unrecorded().catch(() => 'neither' as const), compared);
}
