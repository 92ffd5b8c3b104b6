import { isKubeError, KubeError } from '#lib/kube/index.ts';
import { type RunMemory, runToShow } from '#lib/run/index.ts';
import type { JournalNamespaces } from '#lib/spec/index.ts';
import { type ClusterChange, type ClusterPicture, type Stale, watchCluster } from '#lib/status/index.ts';
import { foldCluster, sortedNodes } from '../fold/fold-cluster.ts';
import type { ClusterEvent, ClusterView } from '../wire.ts';
import type { ClusterAccess } from './access.ts';
import { Feed } from './feed.ts';

/** A cluster as this console follows it: what its watches tell, folded into one view. */
export class ClusterFeed {
  readonly feed: Feed<ClusterView, ClusterEvent>;
  private readonly log: (line: string, cause?: unknown) => void;
  private readonly journalNamespaces: JournalNamespaces;
  private readonly memory: Pick<RunMemory, 'recall'>;
  /** Why there is no view yet. */
  failure: unknown = null;

  constructor(
    { journalNamespaces, memory }: { journalNamespaces: JournalNamespaces; memory: Pick<RunMemory, 'recall'> },
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
      this.tell(name, await this.toShow(change));
  }

  /** Anybody may write a journal: from which release to which a run goes is said of this installation's own alone. */
  private async toShow(change: ClusterChange): Promise<ClusterChange> {
    const { memory } = this;
    if (change.kind === 'whole' && change.picture.run)
      return { ...change, picture: { ...change.picture, run: await runToShow(change.picture.run, memory) } };
    if (change.kind === 'changed' && change.run) return { ...change, run: await runToShow(change.run, memory) };
    return change;
  }

  failed(error: unknown): void {
    this.failure = error;
    if (!isKubeError(error)) this.log('following a cluster failed', error);
    const message = error instanceof Error ? error.message : 'This cluster cannot be followed.';
    this.lost({ since: this.feed.view?.stale?.since ?? new Date().toISOString(), message }, codeOf(error));
  }

  private tell(cluster: string, change: ClusterChange): void {
    if (change.kind === 'whole') this.whole(cluster, change.picture);
    else if (change.kind === 'changed') this.changed(change);
    else if (change.stale) this.lost(change.stale, `cluster.${change.stale.code ?? 'unreachable'}`);
    else this.found();
  }

  private changed({ nodes, status, run }: Extract<ClusterChange, { kind: 'changed' }>): void {
    const { feed } = this;
    if (status) {
      const { components, ...rest } = status;
      feed.publish(() => ({ event: 'condition', data: { status: rest, components, ...(nodes && { nodes }) } }));
    } else if (nodes) feed.publish(() => ({ event: 'node', data: nodes }));
    if (run !== undefined) feed.publish(() => ({ event: 'operation', data: { run } }));
  }

  private whole(cluster: string, { kubernetes, status, nodes, run, stale }: ClusterPicture): void {
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

  /** What changed meanwhile the watches tell; this tells that they are back. */
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

function codeOf(error: unknown): string {
  return isKubeError(error) ? `cluster.${error.code}` : 'fault';
}
