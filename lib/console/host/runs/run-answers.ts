import { planUndo } from '#lib/plan/index.ts';
import { driftSince, forwardProgress, leaseHolderOf, listRunsToShow, type RunMemory } from '#lib/run/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';
import { jsonText, noFlags, sentenceWithClusterFlags, visibleData } from '#lib/text/index.ts';
import {
  endStateOfRun,
  type keptTraffic,
  reportWithTraffic,
  reportWithTrafficAsMarkdown,
} from '#lib/usecases/index.ts';
import type { OpenClusters } from '../clusters/open-clusters.ts';
import type { DraftStore } from '../drafts/draft-store.ts';
import { answering, refusalAsError } from '../failures.ts';
import type { HostLog } from '../host-log.ts';
import type { AskedHost } from '../shown-host.ts';
import type { ForeignRuns } from './foreign-runs.ts';
import type { insideSteps } from './inside-steps.ts';
import { readKnownRun, readReport } from './read-known-run.ts';
import type { runDetails } from './run-details.ts';
import type { RunRequests } from './run-requests.ts';

/** What pages ask of runs, and what they ask runs to do. */
export function runAnswers({
  clusters,
  drafts,
  details,
  runTraffic,
  inside,
  foreign,
  requests,
  memory,
  signal,
  log,
}: {
  clusters: OpenClusters;
  drafts: DraftStore;
  details: ReturnType<typeof runDetails>;
  runTraffic: ReturnType<typeof keptTraffic>;
  inside: ReturnType<typeof insideSteps>;
  foreign: ForeignRuns;
  requests: RunRequests;
  memory: RunMemory;
  signal: AbortSignal;
  log: HostLog;
}): Pick<
  AskedHost,
  | 'runs'
  | 'run'
  | 'report'
  | 'reportPage'
  | 'reportFiles'
  | 'trafficSince'
  | 'insideStep'
  | 'drift'
  | 'undoSteps'
  | 'lookThrough'
  | 'takeUp'
  | 'ask'
> {
  return {
    runs: (cluster) =>
      answering(log, `runs ${cluster}`, () =>
        clusters.using(cluster, async ({ kube, clock }) => {
          const [runs, leaseHolder, open] = await Promise.all([
            listRunsToShow(kube, journalNamespaces, async () => memory),
            leaseHolderOf(kube, clock, journalNamespaces),
            drafts.list(cluster),
          ]);
          return { runs: visibleData(runs), leaseHolder: visibleData(leaseHolder), drafts: open };
        }),
      ),
    run: (cluster, run) => answering(log, `run ${run}`, () => clusters.using(cluster, (used) => details(used, run))),
    report: (cluster, run) =>
      answering(log, `report ${run}`, () =>
        clusters.using(cluster, async (used) => (await readReport(used, run, memory)).report),
      ),
    reportPage: (cluster, run) =>
      answering(log, `report ${run}`, () =>
        clusters.using(cluster, async (used) => {
          const { report, withFlags } = await readReport(used, run, memory);
          return { report, onPaper: withFlags(noFlags) };
        }),
      ),
    reportFiles: (cluster, run) =>
      answering(log, `report ${run}`, () =>
        clusters.using(cluster, async ({ kube, flags }) => {
          // A file is sent to others, who have other contexts and other paths. Why there is none is read here.
          const { plan, report } = await readReport({ kube, flags: noFlags }, run, memory);
          const traffic = await runTraffic.of(cluster, report);
          const endState = endStateOfRun(plan, report);
          return {
            json: `${jsonText(reportWithTraffic(report, traffic), 2)}\n`,
            markdown: await reportWithTrafficAsMarkdown(report, traffic),
            endState:
              endState.text === null
                ? { ...endState, because: sentenceWithClusterFlags(endState.because, flags) }
                : endState,
          };
        }),
      ),
    trafficSince: (cluster, run) =>
      answering(log, `traffic since run ${run}`, async () => {
        const { report } = await clusters.using(cluster, (used) => readReport(used, run, memory));
        return runTraffic.of(cluster, report);
      }),
    insideStep: (cluster, run, seq) =>
      answering(log, `step ${seq} of run ${run}`, () => clusters.using(cluster, (used) => inside(used, run, seq))),
    drift: (cluster, run) =>
      answering(log, `drift since ${run}`, () =>
        clusters.using(cluster, async ({ kube }) => {
          const { plan, journal } = await readKnownRun(kube, run, memory);
          return driftSince(kube, plan, journal, signal);
        }),
      ),
    undoSteps: (cluster, run) =>
      answering(log, `undo steps ${run}`, () =>
        clusters.using(cluster, async ({ kube }) => {
          const { plan, journal } = await readKnownRun(kube, run, memory);
          if (journal.state.kind === 'undone') throw refusalAsError({ kind: 'undone' });
          const { finished, begun } = forwardProgress(journal);
          return planUndo(plan, finished, begun);
        }),
      ),
    lookThrough: (cluster, run, wanted) =>
      answering(log, `look through run ${run}`, () => foreign.lookThrough(cluster, run, wanted)),
    takeUp: (cluster, run, request) =>
      answering(log, `take up run ${run}`, async () => ({ run: await foreign.takeUp(cluster, run, request) })),
    ask: (cluster, run, request) =>
      answering(log, `${request.action} of run ${run}`, () => requests.ask(cluster, run, request)),
  };
}
