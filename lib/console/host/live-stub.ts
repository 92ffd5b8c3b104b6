import { operationLines, type RunEvent, readRun } from '#lib/run/index.ts';
import { readStatus } from '#lib/status/index.ts';
import type { ClusterView, RunView } from '../wire.ts';
import { journalNamespace } from './journal-namespace.ts';
import type { OpenClusters } from './open-clusters.ts';

/** In place of lib/console/live until it is there. */
export function stubLive({ clusters }: { clusters: OpenClusters }) {
  return {
    publish: (_cluster: string, _event: RunEvent): void => undefined,
    clusterView: (cluster: string): Promise<ClusterView> =>
      clusters.using(cluster, async ({ kube, clock, name }) => {
        const now = new Date(clock.now()).toISOString();
        const status = await readStatus(kube, now, new AbortController().signal);
        const kubernetes = await kube.version();
        return { revision: 0, cluster: name, observedAt: now, kubernetes, status, nodes: [], run: null, stale: null };
      }),
    viewOfRun: (cluster: string, run: string): Promise<RunView> =>
      clusters.using(cluster, async ({ kube }) => {
        const { plan, journal } = await readRun(kube, journalNamespace, run);
        return {
          revision: journal.entries.length,
          run,
          cluster: journal.cluster,
          goal: journal.goal,
          role: 'follower',
          state: journal.state,
          startedAt: journal.startedAt,
          operations: operationLines(plan, journal).map((line) => ({
            ...line,
            begunAt: null,
            finishedAt: null,
            note: null,
          })),
          now: null,
          nodes: [],
          log: [],
          problem: null,
          stale: null,
        };
      }),
    clusterEvents: () => new ReadableStream<Uint8Array>(),
    runEvents: () => new ReadableStream<Uint8Array>(),
  };
}
