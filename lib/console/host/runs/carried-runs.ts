import type { Identity, RunContext, RunControl, RunEvent, RunMemory, RunResult } from '#lib/run/index.ts';
import { runControl } from '#lib/run/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';
import type { Slug } from '../../host.ts';
import { clusterIdentity } from '../clusters/cluster-identity.ts';
import type { OpenClusters, UsedCluster } from '../clusters/open-clusters.ts';
import { refusalAsError } from '../failures.ts';
import type { HostLog } from '../host-log.ts';
import { Refused } from '../refused.ts';
import type { ReleaseCache } from '../releases/release-cache.ts';
import type { CarriedRecord } from './carried-record.ts';

/** A run that this process carries, or is about to carry. */
export type CarriedRun = {
  cluster: Slug;
  /** Null until the run's first event: a new run has no name before. */
  run: string | null;
  /** True after the first event. Before it the run may still be refused, and its journal shows the state before. */
  moves: boolean;
  control: RunControl;
  /** `clusterIdentity`; null until known. */
  identity: string | null;
  /** Resolves when the run is no longer carried, for whatever reason. Never rejects. */
  ended: Promise<void>;
};

export type CarriedRuns = {
  /**
   * Starts the work and resolves with the run's id as soon as the run is under way or has ended. Throws Refused if it cannot be taken up. The run
   * goes on by itself, independent of pages and requests. `run`: the run that is continued. It counts as carried here from now on, before its first
   * event, because its journal says that it moves by then.
   */
  carry(
    cluster: Slug,
    what: string,
    work: (context: RunContext) => Promise<RunResult>,
    run?: string | null,
  ): Promise<string>;
  of(cluster: Slug): CarriedRun | null;
  /** This run if it is carried here, whichever context of its cluster it was begun under. */
  carrying(used: UsedCluster, run: string): Promise<CarriedRun | null>;
  /** Resolves when no run is carried any more. */
  settled(): Promise<void>;
};

export type CarriedRunsOptions = {
  clusters: OpenClusters;
  cache: Pick<ReleaseCache, 'manifests'>;
  record: CarriedRecord;
  identity: Identity;
  memory: RunMemory;
  /** SIGTERM: the act in flight is finished; the next process does the rest. */
  signal: AbortSignal;
  /** Publishes events to the pages that follow them; lib/console/streams. */
  publisher: (cluster: Slug) => { tell(event: RunEvent): void; end(): void };
  /** Called when facts and plans of this cluster are out of date. */
  onChanged: (cluster: Slug) => void;
  /** Called when a run is carried, new or continued; `ended` as in CarriedRun. */
  onCarried: (cluster: Slug, run: string, ended: Promise<void>) => void;
  log: HostLog;
};

/** Executes the runs of this process, one at a time for each cluster (architecture.md › Run). */
export function carriedRuns(options: CarriedRunsOptions): CarriedRuns {
  const { clusters, cache, record, identity, memory, signal, publisher, onChanged, onCarried, log } = options;
  const carried = new Map<Slug, CarriedRun>();

  const carry: CarriedRuns['carry'] = async (cluster, what, work, run = null) => {
    const before = carried.get(cluster);
    if (before) throw underWay(before);
    if (signal.aborted) throw new Refused('console.ending', 'The console is stopping and starts nothing new.');
    const named = Promise.withResolvers<string>();
    const control = runControl();
    const entry: CarriedRun = { cluster, run, moves: false, control, identity: null, ended: Promise.resolve() };
    // Set before the first await, so that of two starts at the same time only one gets it.
    carried.set(cluster, entry);
    const publishing = publisher(cluster);
    const onEvent = (event: RunEvent): void => {
      entry.run = event.run;
      entry.moves = true;
      publishing.tell(event);
      named.resolve(event.run);
    };
    entry.ended = execute(entry, what, (context) => work({ ...context, control, onEvent }))
      .then(
        (run) => named.resolve(run),
        (error: unknown) => named.reject(error),
      )
      .finally(() => {
        carried.delete(cluster);
        publishing.end();
        onChanged(cluster);
      });
    const begun = await named.promise;
    onCarried(cluster, begun, entry.ended);
    return begun;
  };

  const execute = async (
    entry: CarriedRun,
    what: string,
    work: (context: Omit<RunContext, 'control' | 'onEvent'>) => Promise<RunResult>,
  ): Promise<string> => {
    const { cluster } = entry;
    const used = await clusters.acquire(cluster);
    try {
      const identified = await clusterIdentity(used);
      // The Lease would not refuse: its holder is this process, whichever context it used.
      const same = [...carried.values()].find((one) => one.identity === identified);
      if (same) throw underWay(same);
      entry.identity = identified;
      await record.add(cluster);
      onChanged(cluster);
      const { kube, clock } = used;
      const manifests = cache.manifests(used.kind);
      const result = await work({ kube, clock, journalNamespaces, identity, memory, manifests, signal });
      if ('refused' in result) {
        await record.remove(cluster);
        throw refusalAsError(result.refused);
      }
      const { run, outcome } = result;
      log(
        `${what}: run ${run} on ${cluster}: ${'because' in outcome ? `${outcome.kind}, ${outcome.because}` : outcome.kind}`,
      );
      if (!goesOnLater(outcome)) await record.remove(cluster);
      return run;
    } catch (error) {
      log(`${what} on ${cluster}`, error);
      throw error;
    } finally {
      used.release();
    }
  };

  return {
    carry,
    of: (cluster) => carried.get(cluster) ?? null,
    carrying: async (used, run) => {
      const found = [...carried.values()].find((one) => one.run === run);
      if (!found || found.cluster === used.slug) return found ?? null;
      return (await clusterIdentity(used)) === found.identity ? found : null;
    },
    settled: async () => {
      await Promise.all([...carried.values()].map(({ ended }) => ended));
    },
  };
}

/** The refusal of a second run, and of requests to a run that only begins here. */
export function underWay({ run }: CarriedRun): Refused {
  return new Refused(
    'run.under-way',
    run === null
      ? 'A run is about to begin on this cluster.'
      : `Run ${run} is under way on this cluster: one at a time.`,
  );
}

/**
 * True if the run continues later: a signal ended it, or its pause could not be journalled for lack of rights or credentials. The next start looks at
 * it again.
 */
function goesOnLater(outcome: Extract<RunResult, { outcome: unknown }>['outcome']): boolean {
  return outcome.kind === 'interrupted' || (outcome.kind === 'paused' && outcome.operation === null);
}
