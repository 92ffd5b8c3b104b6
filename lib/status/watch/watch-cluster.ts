import { systemClock } from '#lib/kube/index.ts';
import type { ClusterChange } from './cluster-change.ts';
import { ClusterWatch, type ClusterWatchOptions } from './cluster-watch.ts';

export type WatchClusterOptions = Omit<ClusterWatchOptions, 'pace' | 'heldAtMostMs'> &
  Partial<Pick<ClusterWatchOptions, 'pace' | 'heldAtMostMs'>> & {
    /** Events are told together, so that hundreds a second become a few. */
    batchMs?: number;
  };

/**
 * Follows a cluster: Installation, FelixConfigurations, agents, proxy, TigeraStatuses, nodes, runs. The first change is the whole; it comes as soon as
 * every kind was read or is known not to be had. Ends when aborted, or when the connection is closed; rejects with KubeErrors that waiting cannot fix. A lost API server ends nothing.
 */
export async function* watchCluster(options: WatchClusterOptions): AsyncGenerator<ClusterChange> {
  const { pace = systemClock, batchMs = 60, heldAtMostMs = 2_000, signal } = options;
  const stop = new AbortController();
  const end = () => stop.abort();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const watch = new ClusterWatch({ ...options, pace, heldAtMostMs, signal: stop.signal });
  const running = watch.run();
  try {
    while (!stop.signal.aborted) {
      await watch.something();
      if (watch.over?.failure) throw watch.over.failure;
      if (watch.over) return;
      for (const change of watch.take()) yield change;
      await pace.sleep(batchMs, stop.signal).catch(() => {});
    }
  } finally {
    signal.removeEventListener('abort', end);
    end();
    await running;
  }
}
