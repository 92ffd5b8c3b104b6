import { isKubeError } from '#lib/kube/index.ts';
import { listRuns } from '#lib/run/index.ts';
import { readStatus } from '#lib/status/index.ts';
import { foldCluster } from '../fold/fold-cluster.ts';
import type { ClusterEvent, ClusterView } from '../wire.ts';
import type { ClusterAccess } from './access.ts';
import { Feed } from './feed.ts';

/** A cluster as this console follows it: what its watches tell, folded into one view. */
export class ClusterFeed {
  readonly feed: Feed<ClusterView, ClusterEvent>;
  private readonly log: (line: string, cause?: unknown) => void;
  private readonly namespace: string;
  failure: unknown = null;

  constructor(namespace: string, openedMs: number, log: (line: string, cause?: unknown) => void) {
    this.log = log;
    this.namespace = namespace;
    this.feed = new Feed((view, event, id) => foldCluster(view, event, id), openedMs);
  }

  async follow({ kube, clock, name }: ClusterAccess, signal: AbortSignal): Promise<void> {
    const now = new Date(clock.now()).toISOString();
    const [status, kubernetes, runs] = await Promise.all([
      readStatus(kube, now, signal),
      kube.version({ signal }),
      listRuns(kube, this.namespace),
    ]);
    this.feed.snapshot((revision) => ({
      revision,
      cluster: name,
      observedAt: now,
      kubernetes,
      status,
      nodes: [],
      run: runs[0] ?? null,
      stale: null,
    }));
    await clock.sleep(60_000, signal);
  }

  failed(error: unknown): void {
    this.failure = error;
    if (!isKubeError(error)) this.log('following a cluster failed', error);
  }
}
