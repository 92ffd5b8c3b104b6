import type { Findings } from '#lib/checks/index.ts';
import type { Facts } from '#lib/facts/index.ts';
import type { ChangesOfRun, HistorySeries, HistoryState, ListedFlows, QueryHints } from '#lib/flows/index.ts';
import type { Plan, UndoStep } from '#lib/plan/index.ts';
import type { Drift, ForeignReview, LeaseHolder, Report, ShownRun, StepInside } from '#lib/run/index.ts';
import type { Choices, Gate, Goal, ReleaseContents } from '#lib/spec/index.ts';
import type { Health, WorkloadVersions } from '#lib/status/index.ts';
import type { FlagsByProgram, KubeconfigNamed } from '#lib/text/index.ts';
import type { ProbeOffer } from '#lib/usecases/index.ts';
import type { WhyAnswer } from '#lib/usecases/why/index.ts';
import type { ClusterView, FlowsView, PreflightView, RunView } from './wire.ts';
import type { Answers, StepId } from './wizard/answers.ts';

/**
 * What the console's process offers to `app/`, and the only way there (architecture.md › Processes and toolchain): Next bundles a module several
 * times, so that neither module state nor `instanceof` would work across routes and actions. Everything that crosses is plain data.
 * This file holds types and one accessor; importing it loads nothing.
 * Text from clusters, files and programs comes as it can be shown (`host/shown-host.ts`), but for `assess`, drafts and files.
 *
 * A method that may fail for a reason that the reader can act on answers a `Failure`; it rejects only for faults of ours.
 */
export type Host = {
  /** Who asks: null without a valid session cookie. Pages and actions call this first (architecture.md › Who may ask). */
  session(cookies: string | null): Session | null;
  /** Who is signed in, last used first. `cookies` tell which of them asks. */
  sessions(cookies: string | null): SessionInList[];
  /** Ends one session and its streams. One that has ended is as good. */
  endSession(id: string): Promise<void>;

  /** Contexts of the kubeconfig, the cluster that the console runs in, sandboxes. Dials nothing. */
  clusters(): Promise<ClusterEntry[]>;
  /** Whether the cluster answers, and what runs there; asked for at most every 15 s, given up after 8 s. Not asked: what `notAsked` keeps from it. */
  reach(cluster: Slug): Promise<Reach>;
  /** From now on `reach` asks this cluster too: with its credentials, and the program that they come from. For as long as this process runs. */
  askCluster(cluster: Slug): Promise<HostAnswer<null>>;
  resetSandbox(cluster: Slug): Promise<HostAnswer<null>>;

  /** What the cluster says now. The first answer may take as long as its API server does. */
  view(cluster: Slug): Promise<HostAnswer<ClusterView>>;
  /** Calico's workloads, each with the release that it runs, as the cluster shows them now. Reads a dozen objects each time. */
  workloads(cluster: Slug): Promise<HostAnswer<WorkloadVersions>>;
  /** Its newest flows. `flows.not-enabled` and the like where it has none (lib/flows/flow-error.ts). */
  flows(cluster: Slug): Promise<HostAnswer<FlowsView>>;
  /**
   * What was allowed and denied over the time of a query (15 min unless it says otherwise), from the history that this console keeps: `flows.no-history`
   * where none is kept. `note`: why it stands still, or what was lost.
   */
  flowSeries(cluster: Slug, query: string): Promise<HostAnswer<HistorySeries & HistoryState>>;
  /** Flows of the history as they are, one for the whole time that is asked for, newest first. `since`: the oldest that is kept, `until`: the end of the newest, in seconds. */
  keptFlows(
    cluster: Slug,
    query: string,
    most: number,
  ): Promise<HostAnswer<ListedFlows & HistoryState & { since: number | null; until: number | null }>>;
  /**
   * Words that a query may be completed with, by key: what the history has of the time of the query (an hour unless it says one), and what the aggregator
   * names of its hour, a minute ago at most. Empty where neither can be asked, and once `signal` is aborted.
   */
  flowHints(cluster: Slug, query: string, signal: AbortSignal): Promise<HostAnswer<QueryHints>>;
  /**
   * A policy that allows what was seen of a workload (`shop/checkout`) in the time of a query, an hour unless it says one, as YAML to review: staged where
   * the cluster has staged policies. `flows.no-suggestion` with why there is none. Applies nothing.
   */
  suggestPolicy(cluster: Slug, asked: { workload: string; query: string }): Promise<HostAnswer<Suggested>>;
  /** A draft whose plan makes that policy. `shown`: the hash of the one that was looked at; `flows.suggestion-changed` where it is another by now. */
  planSuggested(cluster: Slug, asked: { workload: string; query: string }, shown: string): Promise<HostAnswer<Draft>>;
  /**
   * What talked before a run and is denied or silent in the time of a query: compared with as long a time right before it; without a time, since it ended
   * with the hour before it. `run` null: the newest. Only runs that this installation carried are compared.
   */
  flowChanges(cluster: Slug, asked: { run: string | null; query: string }): Promise<HostAnswer<FlowChanges>>;
  /** Why one pod reaches another or not; `flows.question` where `from` or `to` is no such end. Reads the cluster's policies each time. */
  why(cluster: Slug, asked: WhyAsked): Promise<HostAnswer<WhyAnswer>>;
  /** Findings of an unsaved *enable* (*install* where there is no Calico) with nothing answered: what the screen Findings shows. */
  findings(cluster: Slug, freshness: Freshness): Promise<HostAnswer<Assessment>>;

  /** Answers that have not become a run. Newest first. */
  drafts(cluster: Slug): Promise<Draft[]>;
  /** `accepted`: what can be proposed is taken as proposed (the page *Ready to …*); `open`: each proposal is asked for by its step. */
  createDraft(cluster: Slug, goal: Goal, proposals?: 'accepted' | 'open'): Promise<HostAnswer<Draft>>;
  draft(cluster: Slug, draft: string): Promise<HostAnswer<Draft>>;
  /**
   * Keeps one step's answers. `revision` is the one that the form was made from: when the draft has another by now (a second tab, a second
   * browser), nothing changes and the answer is `draft.changed`. The same answers twice are kept once and answer the same.
   */
  answer(
    cluster: Slug,
    draft: string,
    revision: number,
    step: StepId,
    answers: Partial<Answers>,
  ): Promise<HostAnswer<Draft>>;
  /** Null takes a name away. */
  renameDraft(cluster: Slug, draft: string, name: string | null): Promise<HostAnswer<null>>;
  discardDraft(cluster: Slug, draft: string): Promise<HostAnswer<null>>;
  /** Facts and findings under a draft's answers. Facts are read again when asked, after 5 minutes, or when the answer decides what is read. */
  assess(cluster: Slug, draft: string, freshness: Freshness): Promise<HostAnswer<Assessment>>;
  /** What a test of the nodes would make for a draft, and how the last one of this cluster went. Makes nothing. */
  preflight(cluster: Slug, draft: string): Promise<HostAnswer<PreflightState>>;
  /** Makes exactly what was shown (`digest`), else `preflight.changed`; joins a test that is under way. */
  startPreflight(cluster: Slug, draft: string, digest: string): Promise<HostAnswer<null>>;
  /** Ends a test that is under way: what it made is removed. */
  stopPreflight(cluster: Slug): Promise<HostAnswer<null>>;
  /** How far the files are that a draft's plan needs; starts nothing. Null for goals that need none. */
  release(cluster: Slug, draft: string): Promise<HostAnswer<ReleaseProgress | null>>;
  /** Begins to get them, or again after a failure: what came is kept. The answer is how it stands now. */
  getRelease(cluster: Slug, draft: string): Promise<HostAnswer<ReleaseProgress | null>>;
  stopRelease(cluster: Slug, draft: string): Promise<HostAnswer<null>>;
  /** The plan of a draft with the server's dry runs: what the review shows. */
  review(cluster: Slug, draft: string, freshness: Freshness): Promise<HostAnswer<Review>>;
  /** The reviewed plan as files to keep: the data themselves, not as a page shows them. `name` has no ending. */
  planFiles(
    cluster: Slug,
    draft: string,
  ): Promise<HostAnswer<{ name: string; json: string; shell: string; gitops: string }>>;
  /**
   * Starts what was reviewed. Made again right before when it is older than 5 minutes or the cluster moved; `plan.changed` when that gives
   * another plan. `confirmation` must be the cluster's name where something touches traffic or cannot be undone.
   */
  start(cluster: Slug, draft: string, asked: StartRequest): Promise<HostAnswer<{ run: string }>>;

  runs(cluster: Slug): Promise<HostAnswer<{ runs: ShownRun[]; leaseHolder: LeaseHolder; drafts: Draft[] }>>;
  run(cluster: Slug, run: string): Promise<HostAnswer<RunDetails>>;
  /** What a run did, from its journal alone: for lists and downloads, where nobody follows it. */
  report(cluster: Slug, run: string): Promise<HostAnswer<Report>>;
  /** The same as files to keep: the data themselves, not as a page shows them. */
  reportFiles(
    cluster: Slug,
    run: string,
  ): Promise<
    HostAnswer<{ json: string; markdown: string; endState: { text: string } | { text: null; because: string } }>
  >;
  /**
   * Which pairs talked before a run and are denied or silent since, from the history of flows that this console keeps. Null where it has nothing of either
   * time, and for a run that this installation did not carry.
   */
  trafficSince(cluster: Slug, run: string): Promise<HostAnswer<ChangesOfRun | null>>;
  /** One step of a run from inside, as the cluster shows it now. Reads it only when asked; `run.no-step` where the plan has no such step. */
  insideStep(cluster: Slug, run: string, seq: number): Promise<HostAnswer<StepInside>>;
  /** What the run wrote, compared with the cluster now. */
  drift(cluster: Slug, run: string): Promise<HostAnswer<Drift>>;
  /** What an undo of the run would do now, in its order. */
  undoSteps(cluster: Slug, run: string): Promise<HostAnswer<UndoStep[]>>;
  /**
   * Looks through a run that this installation did not start: what carrying it on (`resume`) or taking it back would do now, worked out anew.
   * `run.own` where there is nothing to look through. Changes nothing.
   */
  lookThrough(cluster: Slug, run: string, wanted: 'resume' | 'undo'): Promise<HostAnswer<LookedThrough>>;
  /** Takes it back, or ends it and starts a run of this installation in its place: the answer is the run that goes on. */
  takeUp(cluster: Slug, run: string, asked: TakeUp): Promise<HostAnswer<{ run: string }>>;
  /**
   * Asks for a run to be paused, carried on, stopped, undone or taken over. Acts itself or asks the process that carries it.
   * `undo` needs the cluster's name. `revision` is RunView.revision as it was shown: a replay answers `run.changed` and changes nothing.
   */
  ask(cluster: Slug, run: string, request: RunRequest): Promise<HostAnswer<Heard>>;

  /** Server-sent events (architecture.md › Streams), from after `lastEventId` where the ring buffer reaches back, else from a snapshot. */
  clusterEvents(cluster: Slug, lastEventId: string | null, signal: AbortSignal): ReadableStream<Uint8Array>;
  flowEvents(cluster: Slug, lastEventId: string | null, signal: AbortSignal): ReadableStream<Uint8Array>;
  runEvents(cluster: Slug, run: string, lastEventId: string | null, signal: AbortSignal): ReadableStream<Uint8Array>;
  /** Of the tests of a cluster's nodes, one after the other. */
  preflightEvents(cluster: Slug, lastEventId: string | null, signal: AbortSignal): ReadableStream<Uint8Array>;

  /** Where the log is, for messages about faults of ours. */
  logPath: string;
};

/** `<slug>-<8 hex of sha256(kind, name)>`: the name of a cluster in URLs. */
export type Slug = string;

export type Failure = {
  ok: false;
  /** Stable: `endpoint.form`, `draft.changed`, `cluster.unreachable`, `fault`. */
  code: string;
  /** A sentence for the reader. */
  message: string;
  /** Sentences by the path of the field: `endpoint.host`. */
  fields?: Record<string, string>;
};
export type HostAnswer<T> = { ok: true; value: T } | Failure;

/** `id` names the session in the log; it is no secret. */
export type Session = { id: string; since: string };

/** `browser`: `Firefox on Linux`. `endsAt`: when it ends if nobody uses it before. */
export type SessionInList = Session & { browser: string; usedAt: string; endsAt: string; isThis: boolean };

/** A policy as a file: what it is made from and what it cannot say stands above it. */
export type Suggested = {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly yaml: string;
  /** Of the policy and its remarks. */
  readonly hash: string;
};

/** `run`: the one that `changes` are of; null: there is none. `changes` null: there is nothing to compare, for the reason of `because`, a sentence. */
export type FlowChanges = {
  readonly runs: readonly Pick<ShownRun, 'run' | 'goal' | 'startedAt'>[];
  readonly run: string | null;
  readonly changes: ChangesOfRun | null;
  readonly because: string | null;
};

/** As it is typed: `shop/checkout`, `payments/ledger-db:5432`; `query` for its time alone. */
export type WhyAsked = { readonly from: string; readonly to: string; readonly query: string };

export type ClusterEntry = {
  slug: Slug;
  name: string;
  kind: 'kubeconfig' | 'in-cluster' | 'sandbox';
  /** `host:port`; null for sandboxes and broken entries. */
  server: string | null;
  /** Where its context stands, for commands; null: where kubectl looks by itself, or no context. */
  kubeconfig: KubeconfigNamed | null;
  /** The kubeconfig's current context. */
  current: boolean;
  /** What a sandbox shows, in one line. */
  shows: string | null;
  /** Heading of the gallery below which a sandbox is listed; null for others. */
  group: string | null;
  /** A changed copy of the sandbox is kept. */
  kept: boolean;
  warnings: string[];
  /** Why the list does not ask it by itself, as a phrase (`KnownContext.notAsked`); null: it does. */
  notAsked: string | null;
  /** Why it cannot be used at all. */
  problem: string | null;
};

export type Reach =
  | {
      kind: 'reachable';
      kubernetes: string | null;
      calico: string | null;
      /** As an Installation names it, or `standard`, which is all that agents by manifest tell; null: not known. */
      dataplane: string | null;
      health: Health;
      latencyMs: number;
      run: ShownRun | null;
      at: string;
    }
  | { kind: 'unreachable'; code: string; message: string; at: string }
  /** Nobody asked for it: `because` as in ClusterEntry.notAsked. */
  | { kind: 'not-asked'; because: string };

export type Freshness = 'kept' | 'again';

/**
 * Answers on their way to a plan, kept in the state folder and shared by every browser of this console. `run` is set once it was started.
 * `answered` are the steps that were continued from.
 */
export type Draft = {
  id: string;
  cluster: Slug;
  /** Given by its administrator; null where none was. */
  name: string | null;
  revision: number;
  answers: Answers;
  answered: StepId[];
  /** When each finding was accepted, by its id. */
  acceptedAt: Readonly<Record<string, string>>;
  createdAt: string;
  updatedAt: string;
  run: string | null;
};

/**
 * `choices`: the answers that all of it was judged under, with the fixes that accepted proposals chose. `contents`: the files of the release, for goals
 * that need them, once they are open.
 */
export type Assessment = {
  facts: Facts;
  /** The commands of their remedies name the cluster. */
  findings: Findings;
  /** How further commands name the cluster. */
  flags: FlagsByProgram;
  choices: Choices;
  release: ReleaseStepData | null;
  contents: ReleaseContents | null;
  /** *upgrade*: the files of the release that runs, and of those on the way. */
  running?: ReleaseContents | null | undefined;
  through?: readonly ReleaseContents[] | undefined;
};

/** What can be installed, and how far the files of the wanted one are. */
export type ReleaseStepData = {
  offers: readonly ReleaseOffer[];
  progress: ReleaseProgress;
  /** Where files come from when no source is named. */
  unnamed: 'public' | 'sandbox';
  /** Names of the files that an installation needs, as published: what must be brought to a machine without a network. */
  needs: readonly string[];
};

/** A release as it is offered. `because`: why, or what to know of it. `advice`: what is known to go wrong with it on its own, worst first. */
export type ReleaseOffer = {
  version: string;
  operator: string;
  /** described: the release that the product's specification names. */
  standing: 'proposed' | 'described' | 'other';
  because: string;
  advice: readonly { gate: string; action: Gate['action']; condition: string; advice: string }[];
};

/** The files of one release from one source. `source`: an address or a path; null: the public address, or a sandbox's own. */
export type WantedFiles = {
  version: string;
  source: string | null;
  from: 'public' | 'mirror' | 'files' | 'sandbox';
  airGapped: boolean;
};

/** Bytes; `total` is null where nobody said how many there are. */
export type FileProgress = { file: string; received: number; total: number | null };

/** `notice`: that files cannot be, or are not, the published ones. */
export type ReleaseProgress = { wanted: WantedFiles; notice: string | null } & (
  | { kind: 'not-asked' }
  | { kind: 'opening'; files: FileProgress[] }
  | {
      kind: 'open';
      operator: string;
      /** As a reader would name it. */
      source: string;
      files: { file: string; sha256: string; objects: number }[];
      images: ReleaseImages;
    }
  | { kind: 'failed'; code: string; message: string; files: FileProgress[] }
);

/** What a mirror of images must hold. `missing`: what this list could not show, and what would tell. */
export type ReleaseImages = { images: readonly string[]; missing: string | null };

export type Review = {
  plan: Plan;
  /** The draft's revision that it was made for. */
  revision: number;
  /** How the commands of its steps name the cluster. */
  flags: FlagsByProgram;
  /** `planAsShell` with the cluster's flags. */
  shell: string;
};

/** `view`: null where nobody has tested since this console began. */
export type PreflightState = { offer: ProbeOffer; view: PreflightView | null };

export type StartRequest = { revision: number; planHash: string; confirmation: string | null };

export type RunDetails = {
  view: RunView;
  report: Report;
  plan: Plan;
  leaseHolder: LeaseHolder;
  /** Whether this console's process carries it, another living one does, or nobody. */
  carriedBy: 'us' | 'other' | 'nobody';
  /** This console's process, as Leases and journals name it. */
  us: string;
};

/** `once-it-answers`: the API server is away. The run is carried here, keeps what it was asked, and does that first when the server is back. */
export type Heard = 'now' | 'once-it-answers';

export type RunRequest = {
  action: 'pause' | 'resume' | 'stop' | 'undo' | 'take-over';
  revision: number;
  /** The reason with which the doubt that the run is paused at is accepted. */
  acknowledge?: string;
  confirmation?: string;
};

/** A foreign run as its page shows it. `because`: why it is foreign, as a sentence. */
export type LookedThrough = Omit<ForeignReview, 'because' | 'continuation'> & { because: string };

/** Goes on with exactly what was looked through: `digest` names it, `confirmation` is the cluster's name. */
export type TakeUp = { digest: string; how: 'resume' | 'undo'; confirmation: string };

const key = Symbol.for('signalbox.host');

/** The console's host. Throws outside of the console's process: these routes cannot run under `next start`. */
export function host(): Host {
  const found = (globalThis as { [key]?: Host })[key];
  if (!found) throw new Error('These routes need the console: start it with `npm start`.');
  return found;
}

/** Called once, by the console's process, before Next is loaded. */
export function provideHost(value: Host): void {
  (globalThis as { [key]?: Host })[key] = value;
}
