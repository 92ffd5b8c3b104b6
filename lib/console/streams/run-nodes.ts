import { notReadYet } from '#lib/node-state/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import { directionOf, hasEnded, type Journal, nodeOfRun } from '#lib/run/index.ts';
import { type NodeLine, verdictOf } from '#lib/status/index.ts';
import type { RunStreamEvent, RunView } from '../wire.ts';
import type { ClusterFeed } from './cluster-feed.ts';
import type { Feed } from './feed.ts';
import type { JoinedFeed } from './shared-feeds.ts';

/** Feeds wake those who wait; this limits the delay if a wake is missed. */
const lookEveryMs = 5_000;

type FollowedRun = {
  readonly run: string;
  readonly feed: Feed<RunView, RunStreamEvent>;
  /** The feed of the run's cluster. */
  cluster(): JoinedFeed<ClusterFeed>;
  /** Null until its journal was read. */
  known(): { readonly plan: Plan; readonly journal: Journal } | null;
  /** Whether this process carries the run. */
  isCarried(): boolean;
  /** The cluster's time. */
  now(): number;
};

/** What nodes show during a run whose executor does not report it here: taken from the cluster's own watch, by the same verdict. */
export class RunNodes {
  private readonly o: FollowedRun;
  /** The direction in which this process's executor has reported nodes; it does so once their move can be proven. */
  reportedDirection: 'forward' | 'undo' | null = null;

  constructor(run: FollowedRun) {
    this.o = run;
  }

  /** Takes nodes from the cluster's own watch while another process carries the run, and until this process's executor reports them. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.areOurs()) {
        await this.o.feed.change(lookEveryMs, signal);
        continue;
      }
      const { of, leave } = this.o.cluster();
      try {
        while (!signal.aborted && !this.areOurs()) {
          this.tell(of.feed.view?.nodes ?? []);
          await of.feed.change(lookEveryMs, signal);
        }
      } finally {
        leave();
      }
    }
  }

  /** True if nobody else must be asked about nodes: the executor reports them, or the run is over and no longer changes them. */
  private areOurs(): boolean {
    const { view } = this.o.feed;
    const known = this.o.known();
    if (!view || !known || !movesNodes(known.plan)) return true;
    if (this.o.isCarried()) return this.reportedDirection === directionOf(known.journal);
    if (!hasEnded(view.state)) return false;
    // For a run that ended while it was followed, nodes are shown as far as they got.
    const isOpen = view.nodes.some(({ state }) => state === 'waiting' || state === 'restarting' || state === 'unknown');
    return !isOpen;
  }

  private tell(lines: readonly NodeLine[]): void {
    const run = this.o.known();
    const wanted = run && directionOf(run.journal) === 'undo' ? 'standard' : 'bpf';
    const shown = new Map((this.o.feed.view?.nodes ?? []).map((node) => [node.name, node]));
    for (const line of lines) {
      // The journal of another process does not tell what nodes show, but the cluster's watch does, by the same verdict.
      const node = nodeOfRun(line.name, verdictOf(line), wanted);
      const known = shown.get(node.name);
      if (known && known.state === node.state && known.detail === node.detail) continue;
      // What the run saw of a node stays while its log is only being opened.
      if (known && line.because.startsWith(notReadYet)) continue;
      const at = new Date(this.o.now()).toISOString();
      this.o.feed.publish((id) => ({ event: 'node', id, at, run: this.o.run, data: node }));
    }
  }
}

/** A plan that changes only the service proxy leaves every node on its data plane, so no node has to prove anything. */
function movesNodes({ operations }: Plan): boolean {
  return operations.some(({ done }) => done.kind === 'bpf-active');
}
