import { systemClock } from '#lib/kube/index.ts';
import { forgetCluster, type Identity, type RunMemory } from '#lib/run/index.ts';
import { resetSandbox, sandboxUid } from '#lib/sandbox/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';
import { readLastChanges, readWorkloadVersions } from '#lib/status/index.ts';
import { keptTraffic } from '#lib/usecases/index.ts';
import type { ClusterEntry, Slug } from '../host.ts';
import { flowHistories, type HistorySettings, makeLive, usualHistory } from '../streams/index.ts';
import { clusterCatalogue } from './clusters/cluster-catalogue.ts';
import { type OpenedCluster, openClusters } from './clusters/open-clusters.ts';
import { reaching } from './clusters/reach.ts';
import { type CommandLineAnswers, commandLineAnswers } from './command-line-answers.ts';
import { assessments } from './drafts/assessments.ts';
import { draftAnswers } from './drafts/draft-answers.ts';
import { draftStore } from './drafts/draft-store.ts';
import { reviews } from './drafts/reviews.ts';
import { answering } from './failures.ts';
import { flowAnswers } from './flows/flow-answers.ts';
import type { HostLog } from './host-log.ts';
import { openPreflights } from './preflights.ts';
import { Refused } from './refused.ts';
import { releaseCache } from './releases/release-cache.ts';
import { carriedRecord } from './runs/carried-record.ts';
import { carriedRuns } from './runs/carried-runs.ts';
import { foreignRuns } from './runs/foreign-runs.ts';
import { insideSteps } from './runs/inside-steps.ts';
import { readReport } from './runs/read-known-run.ts';
import { recordTraffic, trafficAfter } from './runs/record-traffic.ts';
import { recoverRuns } from './runs/recovery.ts';
import { runAnswers } from './runs/run-answers.ts';
import { runDetails } from './runs/run-details.ts';
import { runRequests } from './runs/run-requests.ts';
import { starts } from './runs/starts.ts';
import { type AskedHost, shownHost } from './shown-host.ts';

export type HostOptions = {
  env: NodeJS.ProcessEnv;
  /** `--kubeconfig`. */
  kubeconfig: string | undefined;
  /** `$XDG_STATE_HOME/signalbox`. */
  stateFolder: string;
  identity: Identity;
  memory: RunMemory;
  log: HostLog;
  /** SIGTERM: runs are left as they stand, for the next process. */
  signal: AbortSignal;
  /** `instant`: for tests. */
  sandboxSpeed?: 'normal' | 'instant';
  /** How long and how much of the flows is kept; default: seven days and 5 GiB. */
  flowHistory?: HistorySettings;
  /** Replaces the connection to a cluster of the kubeconfig, for tests. */
  openLive?: (entry: ClusterEntry) => Promise<OpenedCluster>;
};

export type MadeHost = CommandLineAnswers & {
  host: AskedHost;
  /** Takes up the runs that an earlier process left. Resolves when none is left; the start need not wait for it. */
  recover(): Promise<void>;
  /** Call after `signal` has aborted. Resolves when no run is carried and every cluster is closed. */
  close(): Promise<void>;
};

const idleMs = 30_000;
/** How long a page waits for what is read for it alone, in ms: it asks again by itself. */
const patienceMs = 10_000;

/** Puts together everything that routes ask of the console's process. Connects to nothing by itself. */
export async function makeHost(options: HostOptions): Promise<MadeHost> {
  const { env, kubeconfig, stateFolder, identity, memory, openLive, log, signal } = options;
  const { monotonic, now, sleep } = systemClock;
  const catalogue = clusterCatalogue({ env, kubeconfig, stateFolder });
  const sandboxSpeed = options.sandboxSpeed ?? 'normal';
  const clusters = openClusters({ catalogue, env, kubeconfig, stateFolder, sandboxSpeed, openLive, idleMs, log });
  const histories = flowHistories({
    stateFolder,
    settings: options.flowHistory === undefined ? usualHistory : options.flowHistory,
    isSandbox: async (slug) => (await catalogue.find(slug)).kind === 'sandbox',
    using: clusters.using,
    log,
  });
  const live = makeLive({ acquire: clusters.acquire, journalNamespaces, memory, log, histories });
  const drafts = draftStore({ stateFolder, now, log });
  const cache = releaseCache({ env, stateFolder, log, signal });
  const assessed = assessments({ clusters, cache, env, monotonic, signal });
  const reviewed = reviews({ clusters, cache, assessments: assessed, monotonic });
  const record = carriedRecord({ stateFolder, log });
  const carried = carriedRuns({
    clusters,
    cache,
    record,
    identity,
    memory,
    signal,
    publisher: live.runPublisher,
    onChanged: (cluster) => {
      assessed.forget(cluster);
      reviewed.forget(cluster);
    },
    onCarried: (cluster, run, ended) => void watchTraffic(cluster, run, ended),
    log,
  });
  const preflights = openPreflights({
    clusters,
    assess: async (draft) => assessed.assess(await catalogue.find(draft.cluster), draft.answers, 'kept'),
    onMeasured: (cluster) => {
      assessed.forget(cluster);
      reviewed.forget(cluster);
    },
    stateFolder,
    now,
    monotonic,
    signal,
    log,
  });
  const started = starts({ drafts, reviews: reviewed, carried, log });
  const viewOfRun = (cluster: Slug, run: string) => live.runView(cluster, run, signal);
  const baseline = (cluster: Slug) =>
    recordTraffic(cluster, { clusters, live, signal }).catch((error: unknown) => log('traffic before a run', error));
  const watchTraffic = async (cluster: Slug, run: string, ended: Promise<void>) => {
    void baseline(cluster);
    const keep = async () => {
      const { report } = await clusters.using(cluster, (used) => readReport(used, run, memory));
      await runTraffic.of(cluster, report);
    };
    const wait = (ms: number) => sleep(ms, signal);
    await trafficAfter({ ended, record: () => baseline(cluster), keep, wait }).catch((error: unknown) => {
      if (!signal.aborted) log(`what flows said of run ${run} was not kept`, error);
    });
  };
  const details = runDetails({ carried, identity, memory, viewOfRun });
  const runTraffic = keptTraffic({ stateFolder, histories, memory, log });
  const inside = insideSteps({ memory, viewOfRun, signal });
  const foreign = foreignRuns({ clusters, carried, cache, memory, monotonic, signal });
  const requests = runRequests({ clusters, carried, identity, memory, viewOfRun, signal, log });
  const { reach, allow } = reaching({ catalogue, clusters, memory, monotonic, signal });

  const host: MadeHost['host'] = {
    clusters: () => catalogue.all(),
    reach,
    askCluster: (cluster) =>
      answering(log, `ask ${cluster}`, async () => {
        await allow(cluster);
        return null;
      }),
    resetSandbox: (cluster) =>
      answering(log, `reset ${cluster}`, async () => {
        const { kind, name } = await catalogue.find(cluster);
        if (kind !== 'sandbox') throw new Refused('cluster.no-sandbox', 'Only a sandbox can be reset.');
        if (carried.of(cluster))
          throw new Refused('sandbox.in-use', 'A run is under way on this sandbox: pause or stop it first.');
        await clusters.whileClosed(cluster, () => resetSandbox(stateFolder, name));
        await histories.forget(cluster);
        assessed.forget(cluster);
        reviewed.forget(cluster);
        await forgetCluster(memory, sandboxUid(name));
        return null;
      }),
    view: (cluster) => answering(log, `view ${cluster}`, () => live.clusterView(cluster)),
    ...flowAnswers({ clusters, histories, live, drafts, runTraffic, memory, log }),
    ...draftAnswers({ catalogue, cache, drafts, assessed, reviewed, started, preflights, memory, log }),
    ...runAnswers({ clusters, drafts, details, runTraffic, inside, foreign, requests, memory, signal, log }),
    workloads: (cluster) =>
      answering(log, 'workloads', () =>
        clusters.using(cluster, ({ kube }) =>
          readWorkloadVersions(kube, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])),
        ),
      ),
    lastChanges: (cluster) =>
      answering(log, 'last changes', () =>
        clusters.using(cluster, ({ kube }) =>
          readLastChanges(kube, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])),
        ),
      ),

    clusterEvents: live.clusterEvents,
    flowEvents: live.flowEvents,
    runEvents: live.runEvents,
    preflightEvents: (cluster, lastEventId, until) => live.events(preflights.feed(cluster), lastEventId, until),
  };

  return {
    host: shownHost(host),
    recover: () =>
      recoverRuns({
        clusters,
        carried,
        record,
        drafts,
        identity,
        memory,
        sleep: (ms) => sleep(ms, signal),
        signal,
        log,
      }),
    ...commandLineAnswers({ catalogue, clusters, histories, started, host, log }),
    close: async () => {
      await Promise.all([carried.settled(), preflights.settled()]);
      await live.close();
      await clusters.close();
    },
  };
}
