import type { ChangesOfRun, HistorySeries, HistoryState, ListedFlows, QueryHints } from '#lib/flows/index.ts';
import type { UndoStep } from '#lib/plan/index.ts';
import type { Drift, LeaseHolder, Report, ShownRun, StepInside } from '#lib/run/index.ts';
import type { Goal } from '#lib/spec/index.ts';
import type { LastChanges, WorkloadVersions } from '#lib/status/index.ts';
import type { WhyAnswer } from '#lib/usecases/why/index.ts';
import type { HostAnswer } from './contract/answer.ts';
import type { ClusterEntry, Reach, Slug } from './contract/clusters.ts';
import type { Assessment, Draft, Freshness, PreflightState, Review, StartRequest } from './contract/drafts.ts';
import type { FlowChanges, Suggested, WhyAsked } from './contract/flows.ts';
import type { ReleaseProgress } from './contract/release.ts';
import type { LookedThrough, RequestTiming, RunDetails, RunRequest, TakeUp } from './contract/runs.ts';
import type { Session, SessionInList } from './contract/sessions.ts';
import type { ClusterView, FlowsView } from './wire.ts';
import type { Answers, StepId } from './wizard/answers.ts';

export type * from './contract/answer.ts';
export type * from './contract/clusters.ts';
export type * from './contract/drafts.ts';
export type * from './contract/flows.ts';
export type * from './contract/release.ts';
export type * from './contract/runs.ts';
export type * from './contract/sessions.ts';

/**
 * The interface of the console's process for `app/`, which uses nothing else of it (architecture.md › Processes and toolchain): Next bundles a module
 * several times, so neither module state nor `instanceof` works across routes and actions. All arguments and results are plain data, whose shapes stand in
 * `contract/`. This file has types and one accessor; importing it loads nothing. Text from clusters, files and programs is escaped for display
 * (`host/shown-host.ts`), except in `assess`, drafts and files.
 *
 * A method that may fail for a reason that the user can act on returns a `Failure`; it rejects only for errors of Signalbox.
 */
export type Host = {
  /** The session of a request; null without a valid cookie. Pages and actions call this first (architecture.md › Who may ask). */
  session(cookies: string | null): Session | null;
  /** All sessions, last used first. `cookies` identify the caller's own. */
  sessions(cookies: string | null): SessionInList[];
  /** Ends a session and its streams. Succeeds if it has ended already. */
  endSession(id: string): Promise<void>;

  /** Contexts of the kubeconfig, the cluster that the console runs in, sandboxes. Connects to nothing. */
  clusters(): Promise<ClusterEntry[]>;
  /** Whether the cluster answers, and what runs there. Sends a request at most every 15 s, with a limit of 8 s, and none to an entry with `notAsked`. */
  reach(cluster: Slug): Promise<Reach>;
  /** Lets `reach` ask this cluster too, with its credentials and the program that they come from, while this process runs. */
  askCluster(cluster: Slug): Promise<HostAnswer<null>>;
  resetSandbox(cluster: Slug): Promise<HostAnswer<null>>;

  /** The cluster's present state. The first call takes as long as its API server. */
  view(cluster: Slug): Promise<HostAnswer<ClusterView>>;
  /** Calico's workloads, each with the release that it runs, as the cluster shows them now. Reads a dozen objects each time. */
  workloads(cluster: Slug): Promise<HostAnswer<WorkloadVersions>>;
  /** Who set what decides about Services, as far as the cluster keeps it. Reads four objects each time. */
  lastChanges(cluster: Slug): Promise<HostAnswer<LastChanges>>;
  /** Its newest flows. Fails with `flows.not-enabled` and others if it has none (lib/flows/flow-error.ts). */
  flows(cluster: Slug): Promise<HostAnswer<FlowsView>>;
  /**
   * What was allowed and denied over the time of a query (15 min unless it says otherwise), from the history that this console keeps. Fails with
   * `flows.no-history` if none is kept. `note`: why it does not grow, or what was lost.
   */
  flowSeries(cluster: Slug, query: string): Promise<HostAnswer<HistorySeries & HistoryState>>;
  /** Unescaped flows of the history, aggregated over the time asked for, newest first. `since`: start of the oldest kept flow, `until`: end of the newest, in seconds. */
  keptFlows(
    cluster: Slug,
    query: string,
    most: number,
  ): Promise<HostAnswer<ListedFlows & HistoryState & { since: number | null; until: number | null }>>;
  /**
   * Words to complete a query with, by key: those in the history for the query's time (default: an hour), and those that the aggregator has for its last hour,
   * at most a minute old. Empty if neither can be asked, and once `signal` is aborted.
   */
  flowHints(cluster: Slug, query: string, signal: AbortSignal): Promise<HostAnswer<QueryHints>>;
  /**
   * A policy that allows the flows of a workload (`shop/checkout`) in the query's time (default: an hour), as YAML to review; a staged policy if the cluster
   * has those. Fails with `flows.no-suggestion` and the reason if there is none. Applies nothing.
   */
  suggestPolicy(cluster: Slug, request: { workload: string; query: string }): Promise<HostAnswer<Suggested>>;
  /** A draft whose plan creates that policy. `shown`: the hash of the reviewed policy; fails with `flows.suggestion-changed` if it has changed. */
  planSuggested(cluster: Slug, request: { workload: string; query: string }, shown: string): Promise<HostAnswer<Draft>>;
  /**
   * Pairs that talked before a run and are denied or silent in the query's time, which is compared with an equally long time before the run. Default: the time
   * since the run's end, compared with the hour before it. `run` null: the newest. Only runs that this installation carried can be compared.
   */
  flowChanges(cluster: Slug, request: { run: string | null; query: string }): Promise<HostAnswer<FlowChanges>>;
  /** Why one pod reaches another or not. Fails with `flows.question` if `from` or `to` is invalid. Reads the cluster's policies each time. */
  why(cluster: Slug, request: WhyAsked): Promise<HostAnswer<WhyAnswer>>;
  /**
   * Findings without answers and with all proposals: of an unsaved *enable* (*install* without Calico), for the page Findings, or of an upgrade, which reads
   * more. No file of its release is opened, so nothing is tried in dry runs, and findings that need the files say nothing yet.
   */
  findings(cluster: Slug, freshness: Freshness, goal?: 'upgrade'): Promise<HostAnswer<Assessment>>;

  /** Answers that have not become a run. Newest first. */
  drafts(cluster: Slug): Promise<Draft[]>;
  /** `accepted`: takes all proposals (the page *Ready to …*); `open`: each step asks for its own. */
  createDraft(cluster: Slug, goal: Goal, proposals?: 'accepted' | 'open'): Promise<HostAnswer<Draft>>;
  draft(cluster: Slug, draft: string): Promise<HostAnswer<Draft>>;
  /**
   * Saves the answers of one step. `revision`: the draft's revision that the form was made from. If it has changed since (in another tab or browser), nothing is
   * saved and it fails with `draft.changed`. Saving the same answers twice has no further effect.
   */
  answer(
    cluster: Slug,
    draft: string,
    revision: number,
    step: StepId,
    answers: Partial<Answers>,
  ): Promise<HostAnswer<Draft>>;
  /** Null removes the name. */
  renameDraft(cluster: Slug, draft: string, name: string | null): Promise<HostAnswer<null>>;
  discardDraft(cluster: Slug, draft: string): Promise<HostAnswer<null>>;
  /** Facts and findings for a draft's answers. Facts are read again on request, after 5 minutes, or if an answer changes what is read. */
  assess(cluster: Slug, draft: string, freshness: Freshness): Promise<HostAnswer<Assessment>>;
  /** The objects that a test of the nodes would create for a draft, and the last test of this cluster. Creates nothing. */
  preflight(cluster: Slug, draft: string): Promise<HostAnswer<PreflightState>>;
  /** Creates exactly the objects that were shown (`digest`), or fails with `preflight.changed`. Joins a test that is running. */
  startPreflight(cluster: Slug, draft: string, digest: string): Promise<HostAnswer<null>>;
  /** Ends a running test and removes its objects. */
  stopPreflight(cluster: Slug): Promise<HostAnswer<null>>;
  /** Progress of the release files that a draft's plan needs; starts no download. Null for goals that need none. */
  release(cluster: Slug, draft: string): Promise<HostAnswer<ReleaseProgress | null>>;
  /** Starts the download, also after a failure; received files are kept. Returns the present progress. */
  getRelease(cluster: Slug, draft: string): Promise<HostAnswer<ReleaseProgress | null>>;
  stopRelease(cluster: Slug, draft: string): Promise<HostAnswer<null>>;
  /** The plan of a draft with the server's dry runs, for the review. */
  review(cluster: Slug, draft: string, freshness: Freshness): Promise<HostAnswer<Review>>;
  /** The reviewed plan as files to download, unescaped. `name` has no extension. */
  planFiles(
    cluster: Slug,
    draft: string,
  ): Promise<HostAnswer<{ name: string; json: string; shell: string; gitops: string }>>;
  /**
   * Starts the reviewed plan. It is made again if it is older than 5 minutes or the cluster has changed, and if the result differs, this fails with
   * `plan.changed`. `confirmation` must be the cluster's name if a step touches traffic or cannot be undone.
   */
  start(cluster: Slug, draft: string, request: StartRequest): Promise<HostAnswer<{ run: string }>>;

  runs(cluster: Slug): Promise<HostAnswer<{ runs: ShownRun[]; leaseHolder: LeaseHolder; drafts: Draft[] }>>;
  run(cluster: Slug, run: string): Promise<HostAnswer<RunDetails>>;
  /** The report of a run from its journal, for lists. */
  report(cluster: Slug, run: string): Promise<HostAnswer<Report>>;
  /** The report for its page, and as it is printed: paper goes to others, who have other contexts and paths, so its commands name no cluster. */
  reportPage(cluster: Slug, run: string): Promise<HostAnswer<{ report: Report; onPaper: Report }>>;
  /** The report as files to download, unescaped. */
  reportFiles(
    cluster: Slug,
    run: string,
  ): Promise<
    HostAnswer<{ json: string; markdown: string; endState: { text: string } | { text: null; because: string } }>
  >;
  /**
   * Pairs that talked before a run and are denied or silent since, from the history of flows that this console keeps. Null if it has no flows of one of the
   * times, and for a run that this installation did not carry.
   */
  trafficSince(cluster: Slug, run: string): Promise<HostAnswer<ChangesOfRun | null>>;
  /** One step of a run from inside, as the cluster shows it now. Fails with `run.no-step` if the plan has no such step. */
  insideStep(cluster: Slug, run: string, seq: number): Promise<HostAnswer<StepInside>>;
  /** What the run wrote, compared with the cluster now. */
  drift(cluster: Slug, run: string): Promise<HostAnswer<Drift>>;
  /** What an undo of the run would do now, in its order. */
  undoSteps(cluster: Slug, run: string): Promise<HostAnswer<UndoStep[]>>;
  /**
   * Examines a run that this installation did not start: what resuming or undoing it would do now, computed anew. Fails with `run.own` for a run of this
   * installation. Changes nothing.
   */
  lookThrough(cluster: Slug, run: string, wanted: 'resume' | 'undo'): Promise<HostAnswer<LookedThrough>>;
  /** Undoes the examined run, or ends it and starts a run of this installation in its place. Returns the run that is carried now. */
  takeUp(cluster: Slug, run: string, request: TakeUp): Promise<HostAnswer<{ run: string }>>;
  /**
   * Pauses, resumes, stops, undoes or takes over a run, here or by a request to the process that carries it. `undo` needs the cluster's name. `revision`: the
   * RunView.revision that was shown; a request from an outdated page fails with `run.changed` and changes nothing.
   */
  ask(cluster: Slug, run: string, request: RunRequest): Promise<HostAnswer<RequestTiming>>;

  /** Server-sent events (architecture.md › Streams), from after `lastEventId` if the ring buffer still has it, otherwise from a snapshot. */
  clusterEvents(cluster: Slug, lastEventId: string | null, signal: AbortSignal): ReadableStream<Uint8Array>;
  flowEvents(cluster: Slug, lastEventId: string | null, signal: AbortSignal): ReadableStream<Uint8Array>;
  runEvents(cluster: Slug, run: string, lastEventId: string | null, signal: AbortSignal): ReadableStream<Uint8Array>;
  /** Server-sent events of the tests of a cluster's nodes. */
  preflightEvents(cluster: Slug, lastEventId: string | null, signal: AbortSignal): ReadableStream<Uint8Array>;

  /** Path of the log, for messages about errors of Signalbox. */
  logPath: string;
};

const key = Symbol.for('signalbox.host');

/** The console's host. Throws outside of the console's process, e.g. under `next start`. */
export function host(): Host {
  const found = (globalThis as { [key]?: Host })[key];
  if (!found) throw new Error('These routes need the console: start it with `npm start`.');
  return found;
}

/** Called once, by the console's process, before Next is loaded. */
export function provideHost(value: Host): void {
  (globalThis as { [key]?: Host })[key] = value;
}
