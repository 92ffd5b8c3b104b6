import { KubeError } from '#lib/kube/index.ts';
import { type RunMemory, type ShownRun, seenRunToShow } from '#lib/run/index.ts';
import type { JournalNamespaces } from '#lib/spec/index.ts';
import { type ClusterChange, type ClusterPicture, type SeenRun, type Stale, watchCluster } from '#lib/status/index.ts';
import { foldCluster, sortedNodes } from '../fold/fold-cluster.ts';
import { failureOf } from '../host/failures.ts';
import type { ClusterEvent, ClusterView } from '../wire.ts';
import type { ClusterAccess } from './access.ts';
import { Feed } from './feed.ts';

/** A cluster as this console follows it: what its watches report, folded into one view. */
export class ClusterFeed {
  readonly feed: Feed<ClusterView, ClusterEvent>;
  private readonly log: (line: string, cause?: unknown) => void;
  private readonly journalNamespaces: JournalNamespaces;
  private readonly memory: Pick<RunMemory, 'recall' | 'sealer'>;
  /** Why there is no view yet. */
  failure: unknown = null;

  constructor(
    {
      journalNamespaces,
      memory,
    }: { journalNamespaces: JournalNamespaces; memory: Pick<RunMemory, 'recall' | 'sealer'> },
    openedMs: number,
    log: (line: string, cause?: unknown) => void,
  ) {
    this.log = log;
    this.memory = memory;
    this.journalNamespaces = journalNamespaces;
    this.feed = new Feed(foldCluster, openedMs);
  }

  async follow({ kube, clock, name }: ClusterAccess, signal: AbortSignal): Promise<void> {
    const { journalNamespaces } = this;
    for await (const change of watchCluster({ kube, clock, journalNamespaces, signal }))
      this.tell(name, await shownChange(change, (run) => seenRunToShow(kube, run, this.memory)));
  }

  failed(error: unknown): void {
    this.failure = error;
    const known = failureOf(error);
    if (known === null) this.log('following a cluster failed', error);
    const message = known?.message ?? (error instanceof Error ? error.message : 'This cluster cannot be followed.');
    this.lost({ since: this.feed.view?.stale?.since ?? new Date().toISOString(), message }, known?.code ?? 'fault');
  }

  private tell(cluster: string, change: ShownChange): void {
    if (change.kind === 'whole') this.snapshot(cluster, change.picture);
    else if (change.kind === 'changed') this.changed(change);
    else if (change.stale) this.lost(change.stale, `cluster.${change.stale.code ?? 'unreachable'}`);
    else this.found();
  }

  private changed({ nodes, status, run }: Extract<ShownChange, { kind: 'changed' }>): void {
    const { feed } = this;
    if (status) {
      const { components, ...rest } = status;
      feed.publish(() => ({ event: 'condition', data: { status: rest, components, ...(nodes && { nodes }) } }));
    } else if (nodes) feed.publish(() => ({ event: 'node', data: nodes }));
    if (run !== undefined) feed.publish(() => ({ event: 'operation', data: { run } }));
  }

  private snapshot(cluster: string, { kubernetes, status, nodes, run, stale }: Shown<ClusterPicture>): void {
    this.failure = null;
    this.feed.snapshot((revision) => ({
      revision,
      cluster,
      observedAt: status.observedAt,
      kubernetes,
      status,
      nodes: sortedNodes(nodes),
      run,
      stale,
    }));
  }

  /** Reports that the cluster answers again; what changed meanwhile comes from the watches. */
  private found(): void {
    this.failure = null;
    const { view } = this.feed;
    if (view?.stale) this.feed.snapshot((revision) => ({ ...view, revision, stale: null }));
  }

  private lost({ since, message, code: refusal }: Stale, code: string): void {
    const event: ClusterEvent = { event: 'problem', data: { code, message, since, retryable: true } };
    if (this.feed.view) {
      if (this.feed.view.stale?.message !== message) this.feed.publish(() => event);
      return;
    }
    this.failure ??= new KubeError(refusal ?? 'unreachable', message);
    this.feed.complain(event);
  }
}

/** The same, with its run in the form that faces show. */
type Shown<Of extends { run?: SeenRun | null }> = Omit<Of, 'run'> & { [Key in keyof Pick<Of, 'run'>]: ShownRun | null };
type ShownChange =
  | { kind: 'whole'; picture: Shown<ClusterPicture> }
  | Shown<Extract<ClusterChange, { kind: 'changed' }>>
  | Extract<ClusterChange, { kind: 'stale' }>;

/** Anybody may write a journal, so a run is always shown with whether it is ours. */
async function shownChange(change: ClusterChange, show: (run: SeenRun) => Promise<ShownRun>): Promise<ShownChange> {
  if (change.kind === 'stale') return change;
  if (change.kind === 'whole') {
    const { run, ...picture } = change.picture;
    return { kind: 'whole', picture: { ...picture, run: run && (await show(run)) } };
  }
  const { run, ...changed } = change;
  return run === undefined ? changed : { ...changed, run: run && (await show(run)) };
}
