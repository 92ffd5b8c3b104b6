import type { Findings } from '#lib/checks/index.ts';
import type { Facts } from '#lib/facts/index.ts';
import { fitting, parseQuery } from '#lib/flows/in-browser.ts';
import { systemClock } from '#lib/kube/index.ts';
import { planAsGitops, planUndo } from '#lib/plan/index.ts';
import {
  driftSince,
  forgetCluster,
  forwardProgress,
  type Identity,
  leaseHolderOf,
  listRunsToShow,
  type RunMemory,
} from '#lib/run/index.ts';
import { resetSandbox, sandboxUid } from '#lib/sandbox/index.ts';
import { type Choices, journalNamespaces } from '#lib/spec/index.ts';
import { readWorkloadVersions } from '#lib/status/index.ts';
import { jsonText, shown } from '#lib/text/index.ts';
import {
  endStateOfRun,
  keptTraffic,
  reportWithTraffic,
  reportWithTrafficAsMarkdown,
  withToldByRuns,
} from '#lib/usecases/index.ts';
import type { ClusterEntry, HostAnswer, Slug } from '../host.ts';
import { longestLineBytes, type Replies } from '../instance/instance-protocol.ts';
import type { ServeSandbox } from '../instance/instance-server.ts';
import { flowHistories, type HistorySettings, makeLive, usualHistory } from '../streams/index.ts';
import type { Answers } from '../wizard/answers.ts';
import { clusterCatalogue } from './clusters/cluster-catalogue.ts';
import { clusterSlug } from './clusters/cluster-slug.ts';
import { namedCluster } from './clusters/named-cluster.ts';
import { type OpenedCluster, openClusters } from './clusters/open-clusters.ts';
import { reaching } from './clusters/reach.ts';
import { assessments } from './drafts/assessments.ts';
import { draftStore } from './drafts/draft-store.ts';
import { reviews } from './drafts/reviews.ts';
import { answering, refusalAsError } from './failures.ts';
import { flowChanges } from './flows/flow-changes.ts';
import { askHistory } from './flows/history-of.ts';
import { hintSources, queryHints } from './flows/query-hints.ts';
import { chosenSuggestion, suggested } from './flows/suggested.ts';
import { whyAsked } from './flows/why-asked.ts';
import type { HostLog } from './host-log.ts';
import { openPreflights } from './preflights.ts';
import { Refused } from './refused.ts';
import { releaseCache } from './releases/release-cache.ts';
import { carriedRecord } from './runs/carried-record.ts';
import { carriedRuns } from './runs/carried-runs.ts';
import { foreignRuns } from './runs/foreign-runs.ts';
import { handedOver } from './runs/handed-over.ts';
import { insideSteps } from './runs/inside-steps.ts';
import { readKnownRun, readReport } from './runs/read-known-run.ts';
import { recordTraffic, trafficAfter } from './runs/record-traffic.ts';
import { recoverRuns } from './runs/recovery.ts';
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

export type MadeHost = {
  host: AskedHost;
  /** Takes up the runs that an earlier process left. Resolves when none is left; the start need not wait for it. */
  recover(): Promise<void>;
  /**
   * Starts a plan that was reviewed and confirmed on the command line of this machine, and returns where to follow it. Both are parsed here:
   * `cluster` is `{ kind, name }` as in ClusterEntry.
   */
  carryPlan(plan: unknown, cluster: unknown): Promise<HostAnswer<{ cluster: Slug; run: string }>>;
  /**
   * Flows of the history for the command line of this machine. `cluster` is parsed here, `query` is the text as typed, `uid` is the cluster's UID as
   * the command line sees it.
   */
  flowsFor(cluster: unknown, query: string, uid: string | null): Promise<Replies['flows']>;
  /** What flows said of a run, for the command line of this machine. `cluster` and `uid` as for `flowsFor`. */
  trafficFor(cluster: unknown, run: string, uid: string | null): Promise<Replies['traffic']>;
  /** Serves a sandbox to the command line of this machine, which cannot open it while this process has it open. */
  serveSandbox: ServeSandbox;
  /** Call after `signal` has aborted. Resolves when no run is carried and every cluster is closed. */
  close(): Promise<void>;
};

const idleMs = 30_000;
/** Number of flows in one answer of the history. */
const mostKept = 10_000;
/** How long a page waits for workloads, in ms: it asks again by itself. */
const workloadsPatienceMs = 10_000;

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
  const sources = hintSources();
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
      await told.of(cluster, report);
    };
    const wait = (ms: number) => sleep(ms, signal);
    await trafficAfter({ ended, record: () => baseline(cluster), keep, wait }).catch((error: unknown) => {
      if (!signal.aborted) log(`what flows said of run ${run} was not kept`, error);
    });
  };
  const details = runDetails({ carried, identity, memory, viewOfRun });
  const told = keptTraffic({ stateFolder, histories, memory, log });
  const inside = insideSteps({ memory, viewOfRun, signal });
  const foreign = foreignRuns({ clusters, carried, cache, memory, monotonic, signal });
  const requests = runRequests({ clusters, carried, identity, memory, viewOfRun, signal, log });
  const { reach, allow } = reaching({ catalogue, clusters, memory, monotonic, signal });

  /** An installation or an upgrade stores its release, because the proposal may be another one tomorrow. */
  const withRelease = async (cluster: Slug, id: string, given: Partial<Answers>): Promise<Partial<Answers>> => {
    const { answers } = await drafts.read(cluster, id);
    const goal = given.goal ?? answers.goal;
    if ((goal !== 'install' && goal !== 'upgrade') || answers.release !== undefined || given.release !== undefined)
      return given;
    return { ...given, release: assessed.proposedRelease(cluster, { ...answers, goal }) };
  };
  const wantedBy = async (cluster: Slug, id: string) =>
    assessed.wanted(await catalogue.find(cluster), (await drafts.read(cluster, id)).answers);

  /** The cluster that the command line names, if it has the same UID here. */
  const meantBy = async (where: unknown, uid: string | null): Promise<HostAnswer<Slug>> => {
    const cluster = namedCluster(where);
    if (cluster === null) return { ok: false, code: 'cluster.not-found', message: 'No cluster is named.' };
    const { kind, slug } = cluster;
    if (kind === 'sandbox' || (uid !== null && (await histories.uidOf(slug).catch(() => null)) === uid))
      return { ok: true, value: slug };
    return {
      ok: false,
      code: 'flows.other-cluster',
      message: `The console was not seen to reach the same cluster under this name: UIDs of Namespace kube-system tell.`,
    };
  };

  const withRuns = async <A extends { findings: Findings; facts: Facts; choices: Choices }>(
    assessment: A,
  ): Promise<A> => ({
    ...assessment,
    findings: await withToldByRuns(assessment.findings, assessment, memory),
  });

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
    flows: (cluster) => answering(log, `flows ${cluster}`, () => live.flowsView(cluster)),
    flowSeries: (cluster, query) =>
      answering(log, `flow history ${cluster}`, () =>
        askHistory(histories, cluster, async (history) => ({
          ...(await history.series(parseQuery(query).query)),
          ...history.state(),
        })),
      ),
    keptFlows: (cluster, query, most) =>
      answering(log, `kept flows ${cluster}`, () =>
        askHistory(histories, cluster, async (history) => {
          const { query: asked } = parseQuery(query);
          const [found, spans] = await Promise.all([history.list(asked, Math.min(most, mostKept)), history.spans()]);
          return {
            ...found,
            since: spans[0]?.since ?? null,
            until: spans.at(-1)?.until ?? null,
            ...history.state(),
          };
        }),
      ),
    flowChanges: (cluster, asked) =>
      answering(log, `flow changes ${cluster}`, () =>
        clusters.using(cluster, (used) => flowChanges({ used, cluster, histories, told, memory }, asked)),
      ),
    flowHints: (cluster, query, signal) =>
      answering(log, `flow hints ${cluster}`, () =>
        clusters.using(cluster, ({ kube }) => queryHints({ kube, cluster, histories, log, sources }, query, signal)),
      ),
    suggestPolicy: (cluster, asked) =>
      answering(log, `suggest a policy in ${cluster}`, () =>
        clusters.using(cluster, ({ kube }) => suggested({ kube, cluster, histories, log }, asked)),
      ),
    planSuggested: (cluster, asked, shownHash) =>
      answering(log, `plan a suggested policy in ${cluster}`, async () => {
        const chosen = await clusters.using(cluster, ({ kube }) =>
          chosenSuggestion({ kube, cluster, histories, log }, asked, shownHash),
        );
        return drafts.create(cluster, 'policy', 'accepted', chosen);
      }),
    why: (cluster, asked) =>
      answering(log, `why in ${cluster}`, () =>
        clusters.using(cluster, ({ kube }) => whyAsked({ kube, cluster, histories, log }, asked)),
      ),
    findings: (cluster, freshness) =>
      answering(log, `findings ${cluster}`, async () =>
        withRuns(await assessed.assessPossible(await catalogue.find(cluster), freshness)),
      ),

    drafts: (cluster) => drafts.list(cluster),
    createDraft: (cluster, goal, proposals) =>
      answering(log, `create draft ${cluster}`, async () => {
        await catalogue.find(cluster);
        return drafts.create(cluster, goal, proposals);
      }),
    draft: (cluster, id) => answering(log, `draft ${id}`, () => drafts.read(cluster, id)),
    answer: (cluster, id, revision, step, answers) =>
      answering(log, `answer ${id}`, async () => {
        const given = { revision, step, answers: await withRelease(cluster, id, answers) };
        const entry = await catalogue.find(cluster);
        return drafts.answer(cluster, id, given, (before, after) => assessed.refuseNewProblems(entry, before, after));
      }),
    renameDraft: (cluster, id, name) =>
      answering(log, `rename ${id}`, async () => {
        await drafts.rename(cluster, id, name);
        return null;
      }),
    discardDraft: (cluster, id) =>
      answering(log, `discard ${id}`, async () => {
        await drafts.discard(cluster, id);
        return null;
      }),
    assess: (cluster, id, freshness) =>
      answering(log, `assess ${id}`, async () => {
        const { answers } = await drafts.read(cluster, id);
        const assessment = await assessed.assess(await catalogue.find(cluster), answers, freshness);
        return withRuns(assessment);
      }),
    preflight: (cluster, id) =>
      answering(log, `preflight of ${id}`, async () => preflights.state(await drafts.read(cluster, id))),
    startPreflight: (cluster, id, digest) =>
      answering(log, `start preflight of ${id}`, async () => {
        preflights.start((await drafts.read(cluster, id)).cluster, digest);
        return null;
      }),
    stopPreflight: (cluster) =>
      answering(log, `stop preflight ${cluster}`, async () => {
        preflights.stop(cluster);
        return null;
      }),
    release: (cluster, id) =>
      answering(log, `release ${id}`, async () => {
        const wanted = await wantedBy(cluster, id);
        return wanted && cache.progress(wanted);
      }),
    getRelease: (cluster, id) =>
      answering(log, `get release ${id}`, async () => {
        const wanted = await wantedBy(cluster, id);
        if (wanted === null) return null;
        cache.begin(wanted);
        return cache.progress(wanted);
      }),
    stopRelease: (cluster, id) =>
      answering(log, `stop release ${id}`, async () => {
        const wanted = await wantedBy(cluster, id);
        if (wanted) cache.stop(wanted);
        return null;
      }),
    review: (cluster, id, freshness) =>
      answering(log, `review ${id}`, async () => reviewed.review(await drafts.read(cluster, id), freshness)),
    planFiles: (cluster, id) =>
      answering(log, `plan of ${id}`, async () => {
        const { plan, shell } = await reviewed.review(await drafts.read(cluster, id), 'kept');
        return {
          name: `plan-${plan.goal}-${plan.cluster}`,
          json: `${jsonText(plan, 2)}\n`,
          shell,
          gitops: planAsGitops(plan),
        };
      }),
    start: (cluster, id, asked) =>
      answering(log, `start ${id}`, async () => {
        const run = await started.start(cluster, id, asked);
        return { run };
      }),

    runs: (cluster) =>
      answering(log, `runs ${cluster}`, () =>
        clusters.using(cluster, async ({ kube, clock }) => {
          const [runs, leaseHolder, open] = await Promise.all([
            listRunsToShow(kube, journalNamespaces, async () => memory),
            leaseHolderOf(kube, clock, journalNamespaces),
            drafts.list(cluster),
          ]);
          return { runs: shown(runs), leaseHolder: shown(leaseHolder), drafts: open };
        }),
      ),
    run: (cluster, run) => answering(log, `run ${run}`, () => clusters.using(cluster, (used) => details(used, run))),
    report: (cluster, run) =>
      answering(log, `report ${run}`, () =>
        clusters.using(cluster, async (used) => (await readReport(used, run, memory)).report),
      ),
    reportFiles: (cluster, run) =>
      answering(log, `report ${run}`, () =>
        clusters.using(cluster, async (used) => {
          const { plan, report } = await readReport(used, run, memory);
          const traffic = await told.of(cluster, report);
          return {
            json: `${jsonText(reportWithTraffic(report, traffic), 2)}\n`,
            markdown: await reportWithTrafficAsMarkdown(report, traffic),
            endState: endStateOfRun(plan, report),
          };
        }),
      ),
    trafficSince: (cluster, run) =>
      answering(log, `traffic since run ${run}`, async () => {
        const { report } = await clusters.using(cluster, (used) => readReport(used, run, memory));
        return told.of(cluster, report);
      }),
    workloads: (cluster) =>
      answering(log, 'workloads', () =>
        clusters.using(cluster, ({ kube }) =>
          readWorkloadVersions(kube, AbortSignal.any([signal, AbortSignal.timeout(workloadsPatienceMs)])),
        ),
      ),
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
    takeUp: (cluster, run, asked) =>
      answering(log, `take up run ${run}`, async () => ({ run: await foreign.takeUp(cluster, run, asked) })),
    ask: (cluster, run, request) =>
      answering(log, `${request.action} of run ${run}`, () => requests.ask(cluster, run, request)),

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
    carryPlan: (given, where) =>
      answering(log, 'plan from the command line', async () => {
        const { plan, cluster } = handedOver(given, where);
        await catalogue.find(cluster);
        const run = await started.carry(cluster, plan);
        return { cluster, run };
      }),
    flowsFor: async (where, query, uid) => {
      const meant = await meantBy(where, uid);
      if (!meant.ok) return meant;
      const answer = await host.keptFlows(meant.value, query, mostKept);
      if (!answer.ok) return answer;
      const { flows, isCut, since, until, note } = answer.value;
      const fit = fitting(flows, longestLineBytes / 2);
      return { ok: true, flows: fit, isCut: isCut || fit.length < flows.length, since, until, note };
    },
    trafficFor: async (where, run, uid) => {
      const meant = await meantBy(where, uid);
      if (!meant.ok) return meant;
      const answer = await host.trafficSince(meant.value, run);
      return answer.ok ? { ok: true, traffic: answer.value } : answer;
    },
    serveSandbox: (name) =>
      answering(log, 'sandbox for the command line', async () => {
        const { served, release } = await clusters.acquire(clusterSlug('sandbox', name));
        try {
          if (served === null) throw new Refused('cluster.no-sandbox', 'Only a sandbox is served.');
          return { kubeconfig: await served.kubeconfig(), closed: served.closed, release };
        } catch (error) {
          release();
          throw error;
        }
      }),
    close: async () => {
      await Promise.all([carried.settled(), preflights.settled()]);
      await live.close();
      await clusters.close();
    },
  };
}
