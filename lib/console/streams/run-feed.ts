import { isDeepStrictEqual } from 'node:util';
import { isKubeError, type Kube, KubeError, type KubeObject, systemClock, type WatchEvent } from '#lib/kube/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import {
  claimed,
  directionOf,
  eventsSince,
  eventWithClusterFlags,
  type Journal,
  type JournalEvent,
  journalOf,
  journalRef,
  journalWithClusterFlags,
  namespaceOfRun,
  provenanceOf,
  type RunEvent,
  type RunMemory,
  readRunWithProvenance,
  runLines,
  underWay,
} from '#lib/run/index.ts';
import { type JournalNamespaces, resources } from '#lib/spec/index.ts';
import { Reachability, type Stale } from '#lib/status/index.ts';
import { type FlagsByProgram, noFlags } from '#lib/text/index.ts';
import { foldRun } from '../fold/fold-run.ts';
import type { RunStreamEvent, RunView } from '../wire.ts';
import type { ClusterAccess } from './access.ts';
import type { ClusterFeed } from './cluster-feed.ts';
import { Feed } from './feed.ts';
import { ReportedSteps } from './reported-steps.ts';
import { RunNodes } from './run-nodes.ts';
import { stateAndProblem, viewOfJournal } from './run-view.ts';
import type { JoinedFeed } from './shared-feeds.ts';

/** Number of events that are kept while the journal is being read. */
const earlyKept = 1_000;
type EventOfRun = Extract<RunStreamEvent, { run: string }>;

type KnownRun = { plan: Plan; journal: Journal; isForeign: boolean };

/**
 * A run as this console follows it, whoever carries it. It joins two sources in one stream: the journal in the cluster, which is always watched and
 * says how far the run is, and, if this process carries the run, the executor's own events, which say what is awaited and what each node shows. A
 * step that both report is published once. Runs that ended or paused stay watched, as somebody may undo them or carry them on.
 */
export class RunFeed {
  readonly feed: Feed<RunView, RunStreamEvent>;
  private readonly run: string;
  private readonly journalNamespaces: JournalNamespaces;
  private readonly memory: RunMemory;
  private readonly steps = new ReportedSteps();
  private readonly nodes: RunNodes;
  /** The cluster's clock, once it is open. */
  private now: () => number = Date.now;
  /** How commands name the cluster, once it is open. */
  private flags: FlagsByProgram = noFlags;
  private known: KnownRun | null = null;
  /** Events of the executor from before the journal was read. */
  private early: RunEvent[] = [];
  private holders = 0;
  /** Why the run is not followed now. */
  failure: unknown = null;

  /** `cluster`: the feed of the run's cluster. */
  constructor(
    { run, journalNamespaces, memory }: { run: string; journalNamespaces: JournalNamespaces; memory: RunMemory },
    openedMs: number,
    cluster: () => JoinedFeed<ClusterFeed>,
  ) {
    this.run = run;
    this.memory = memory;
    this.journalNamespaces = journalNamespaces;
    this.feed = new Feed(foldRun, openedMs);
    this.nodes = new RunNodes({
      run,
      feed: this.feed,
      cluster,
      known: () => this.known,
      isCarried: () => this.isCarried,
      now: () => this.now(),
    });
  }

  /** From now until it is put down, this process carries the run. */
  carried(): void {
    this.holders++;
    this.nodes.reportedDirection = null;
    this.publishAgain();
  }

  putDown(): void {
    this.holders--;
    this.publishAgain();
  }

  get isCarried(): boolean {
    return this.holders > 0;
  }

  /** An event of this process's executor. */
  tell(event: RunEvent): void {
    if (!this.known) {
      this.early = [...this.early.slice(-earlyKept), event];
      return;
    }
    if (event.event === 'heartbeat' || event.event === 'snapshot') return;
    if (event.event === 'operation' && !this.steps.isNews(event.data)) return;
    if (event.event === 'node') this.nodes.reportedDirection = directionOf(this.known.journal);
    if (event.event === 'problem' && this.feed.view?.problem?.code === event.data.code) return;
    this.feed.publish((id) => ({ ...eventWithClusterFlags(event, this.flags), id }));
  }

  /** Reads the journal and follows it until `signal` aborts or the journal is gone. Rejects with what ended it. */
  async follow({ kube, clock, flags }: ClusterAccess, signal: AbortSignal): Promise<void> {
    this.now = () => clock.now();
    this.flags = flags;
    if (!this.known) {
      await this.read(kube);
    }
    const stop = new AbortController();
    const both = AbortSignal.any([signal, stop.signal]);
    const reachability = new Reachability(kube, systemClock, (stale) => (stale ? this.lost(stale) : this.found()));
    const beside = Promise.all([reachability.ask(() => {}, both), this.nodes.follow(both)]);
    try {
      await Promise.race([this.watch(kube, reachability, both), beside]);
    } finally {
      stop.abort();
      await beside;
    }
  }

  private async read(kube: Kube): Promise<void> {
    const read = await readRunWithProvenance(kube, this.journalNamespaces, this.run, this.memory);
    this.steps.clear();
    this.start(read.plan, read.journal, read.provenance.kind === 'foreign');
  }

  private async watch(kube: Kube, reachability: Reachability, signal: AbortSignal): Promise<void> {
    const { run } = this;
    const namespace = await namespaceOfRun(kube, this.journalNamespaces, run);
    const fieldSelector = `metadata.name=${journalRef(run, namespace).name}`;
    for await (const change of kube.watch(resources.configMaps, { namespace, fieldSelector, signal })) {
      if (change.type === 'interrupted') {
        reachability.interrupted('journal', change.because, change.retryInMs);
        continue;
      }
      reachability.heard('journal');
      // The cluster may have been unreachable for another reason before.
      if (reachability.now === null) this.found();
      if (isGone(change)) return this.feed.end('run.unknown', `The journal of run ${run} was deleted.`);
      const object = changed(change);
      const journal = object && journalOf(object);
      if (!journal) continue;
      if (this.known && this.mustBeReadAgain(journal, this.known)) await this.read(kube);
      else this.moved(journal);
    }
  }

  /** The journal cannot be followed now; `not-found` and `protocol` are final. */
  failed(error: unknown): void {
    this.failure = error;
    if (isKubeError(error, 'not-found')) this.feed.end('run.unknown', error.message);
    else if (isKubeError(error, 'protocol')) this.feed.end('run.unreadable', error.message);
    else this.lost({ since: new Date().toISOString(), message: sentenceOf(error) });
  }

  /**
   * Whether the run must be read again before anything of this journal is shown. A foreign run that was taken up has another plan, or a seal of this
   * installation; and a run of ours stays ours only while each change is sealed and continues what was published, because anybody who may write ConfigMaps
   * can change it at any time.
   */
  private mustBeReadAgain(journal: Journal, { plan, journal: before, isForeign }: KnownRun): boolean {
    if (journal.planHash !== before.planHash) return true;
    const { sealer } = this.memory;
    if (isForeign) return journal.seal?.install === sealer.install;
    return provenanceOf(sealer, { plan, journal: before }, { plan, journal }).kind === 'foreign';
  }

  private start(plan: Plan, journal: Journal, isForeign: boolean): void {
    this.known = { plan, journal, isForeign };
    this.failure = null;
    for (const { event } of eventsSince(plan, journal)) {
      if (event?.body.event === 'operation') this.steps.isNews(event.body.data);
    }
    const shown = journalWithClusterFlags(journal, this.flags);
    this.feed.snapshot((id) => viewOfJournal(plan, shown, { role: this.role(), isForeign }, id));
    const early = this.early;
    this.early = [];
    for (const event of early) this.tell(event);
  }

  private moved(read: Journal): void {
    if (!this.known) return;
    const { plan, journal: before, isForeign } = this.known;
    const journal = isForeign ? claimed(read, before) : read;
    this.known = { plan, journal, isForeign };
    for (const { event } of eventsSince(plan, journalWithClusterFlags(journal, this.flags), before)) {
      if (event && this.isWorthTelling(event))
        this.feed.publish((id) => ({ ...event.body, id, at: event.at, run: this.run }) satisfies EventOfRun);
    }
    const { services } = journal;
    if (services && this.holders === 0 && !isDeepStrictEqual(services, before.services))
      this.feed.publish((id) => ({
        event: 'services',
        id,
        at: new Date(this.now()).toISOString(),
        run: this.run,
        data: services,
      }));
    if (!isDeepStrictEqual(journal.state, before.state)) this.publishAgain('turned');
  }

  private isWorthTelling({ body }: JournalEvent): boolean {
    if (body.event === 'operation') return this.steps.isNews(body.data);
    if (body.event === 'problem') return this.feed.view?.problem?.code !== body.data.code;
    return !this.feed.view?.log.slice(-5).some(({ text }) => text === body.data.message);
  }

  /** Publishes the whole view again, after the journal's state or our part in the run has changed. What only events report is kept. */
  private publishAgain(why: 'turned' | 'same state' = 'same state'): void {
    const view = this.feed.view;
    if (!this.known || !view) return;
    const { plan, journal } = this.known;
    const step = underWay(plan, journal);
    const current = step?.body.event === 'operation' ? { ...step.body.data, since: step.at } : null;
    const same = current && view.now && current.seq === view.now.seq && current.direction === view.now.direction;
    this.feed.snapshot((id) => ({
      ...view,
      ...stateAndProblem(journalWithClusterFlags(journal, this.flags)),
      revision: id,
      turnedAt: why === 'turned' ? id : view.turnedAt,
      role: this.role(),
      operations: runLines(plan, journal),
      now: same ? view.now : current,
    }));
  }

  private role(): RunView['role'] {
    return this.holders > 0 ? 'holder' : 'follower';
  }

  private lost({ since, message }: Stale): void {
    const view = this.feed.view;
    if (!view) {
      this.failure ??= new KubeError('unreachable', message);
      this.feed.complain({ event: 'stale', id: 0, data: { since, message } });
    } else if (view.stale?.message !== message)
      this.feed.publish((id) => ({ event: 'stale', id, data: { since: view.stale?.since ?? since, message } }));
  }

  private found(): void {
    if (this.feed.view?.stale) this.feed.publish((id) => ({ event: 'stale', id, data: null }));
  }
}

/** The sentence of any error, not only of a cluster's: a kubeconfig may be gone, or a cluster no longer listed. */
function sentenceOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : 'This run cannot be followed.';
}

function changed(change: WatchEvent): KubeObject | null {
  if (change.type === 'synced') return change.objects[0] ?? null;
  return change.type === 'added' || change.type === 'modified' ? change.object : null;
}

function isGone(change: WatchEvent): boolean {
  return change.type === 'deleted' || (change.type === 'synced' && change.objects.length === 0);
}
