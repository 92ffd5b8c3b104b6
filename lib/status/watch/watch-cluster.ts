import { systemClock } from '#lib/kube/index.ts';
import type { ClusterChange } from './cluster-change.ts';
import { ClusterWatch, type ClusterWatchOptions } from './cluster-watch.ts';

export type WatchClusterOptions = Omit<ClusterWatchOptions, 'pace' | 'heldAtMostMs'> &
  Partial<Pick<ClusterWatchOptions, 'pace' | 'heldAtMostMs'>> & {
    /** Collects the events of this time, in ms, into one report, so that hundreds a second become a few. */
    batchMs?: number;
  };

/**
 * Follows a cluster: Installation, FelixConfigurations, agents, proxy, TigeraStatuses, nodes, runs. The first change is the whole picture; it comes once
 * every kind has been read or has turned out to be unreadable. Ends when aborted, or when the connection is closed. An unreachable API server does not end it.
 * @throws KubeError that waiting cannot fix: refused credentials, missing rights
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
