import { parseQuery, type Window, windowOf } from '#lib/flows/in-browser.ts';
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
    runTraffic,
    memory,
  }: {
    used: UsedCluster;
    cluster: Slug;
    histories: Pick<FlowHistories, 'kept'>;
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
    const because = changes === null ? await whyNot(histories, cluster, report, null) : null;
    return { runs, run, changes, because };
  }
  const newest = (await histories.kept(cluster))?.newest() ?? 0;
  const window = windowOf(query, newest);
  const changes = await trafficSince(histories, cluster, report, window);
  const because = changes === null ? await whyNot(histories, cluster, report, window) : null;
  return { runs, run, changes, because };
}

/** Which of the two times was not recorded: what there is of the other is no comparison. */
async function whyNot(
  histories: Pick<FlowHistories, 'kept'>,
  cluster: Slug,
  report: Parameters<typeof timesOfRun>[0],
  window: Window | null,
): Promise<string> {
  const history = await histories.kept(cluster).catch(() => null);
  const { unrecordedTimes } = await import('#lib/flows/index.ts');
  const shown = window === null ? 'the time since the run' : 'the time that is shown';
  switch (await unrecordedTimes(history, timesOfRun(report), window).catch(() => 'neither' as const)) {
    case 'ahead':
      return 'The time that is shown ends before the end of the run: choose a later one.';
    case 'before':
      return `Nothing was recorded in the time before the run, so there is nothing to compare ${shown} with. ${reasons}`;
    case 'since':
      return `Nothing was recorded in ${shown} yet, so there is nothing to compare. Flows come up to a minute late.`;
    case 'neither':
      return 'The history of flows could not be read now: reload the page in a moment.';
    case 'both':
      return `Neither the time before the run nor ${shown} was recorded, so there is nothing to compare. ${reasons}`;
  }
}

const reasons = 'Flow logs were off, or this console kept no history then.';
