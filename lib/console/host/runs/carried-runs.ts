import type { Identity, RunContext, RunControl, RunEvent, RunMemory, RunResult } from '#lib/run/index.ts';
import { runControl } from '#lib/run/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';
import type { Slug } from '../../host.ts';
import type { OpenClusters, UsedCluster } from '../clusters/open-clusters.ts';
import { placeOf } from '../clusters/place-of.ts';
import { refusalAsError } from '../failures.ts';
import type { HostLog } from '../host-log.ts';
import { Refused } from '../refused.ts';
import type { ReleaseCache } from '../releases/release-cache.ts';
import type { CarriedRecord } from './carried-record.ts';

/** A run that this process carries, or is about to. */
export type CarriedRun = {
  cluster: Slug;
  /** Null until it is known which one: a new run has no name before its first event. */
  run: string | null;
  /** An event of it came: until then it may yet be refused, and its journal still says what was before. */
  moves: boolean;
  control: RunControl;
  /** `placeOf`; null until it is known. */
  place: string | null;
  /** When it is not carried any more, for whatever reason. Never rejects. */
  ended: Promise<void>;
};

export type CarriedRuns = {
  /**
   * Starts the work and resolves with the run's id as soon as it is under way, or has ended already. Throws Refused when it is not taken up.
   * The run goes on by itself: no page and no request holds it. `run`: the one that is continued, which counts as carried here from now on: its
   * journal says that it moves before its first event does.
   */
  carry(
    cluster: Slug,
    what: string,
    work: (context: RunContext) => Promise<RunResult>,
    run?: string | null,
  ): Promise<string>;
  of(cluster: Slug): CarriedRun | null;
  /** This run, under whichever of its contexts it was begun. */
  carrying(used: UsedCluster, run: string): Promise<CarriedRun | null>;
  /** Resolves when nothing is carried any more. */
  settled(): Promise<void>;
};

export type CarriedRunsOptions = {
  clusters: OpenClusters;
  cache: Pick<ReleaseCache, 'manifests'>;
  record: CarriedRecord;
  identity: Identity;
  memory: RunMemory;
  /** SIGTERM: the act in flight is finished, the rest is left for the next process. */
  signal: AbortSignal;
  /** Tells those who look; lib/console/streams. */
  publisher: (cluster: Slug) => { tell(event: RunEvent): void; end(): void };
  /** The cluster is another one now than facts and plans say. */
  onChanged: (cluster: Slug) => void;
  /** A run is carried from now on, as a new one or again; `ended` as in CarriedRun. */
  onCarried: (cluster: Slug, run: string, ended: Promise<void>) => void;
  log: HostLog;
};

/** The executor of this process: one run at a time for each cluster (architecture.md › Run). */
export function carriedRuns(options: CarriedRunsOptions): CarriedRuns {
  const { clusters, cache, record, identity, memory, signal, publisher, onChanged, onCarried, log } = options;
  const carried = new Map<Slug, CarriedRun>();

  const carry: CarriedRuns['carry'] = async (cluster, what, work, run = null) => {
    const before = carried.get(cluster);
    if (before) throw underWay(before);
    if (signal.aborted) throw new Refused('console.ending', 'The console is stopping and starts nothing new.');
    const named = Promise.withResolvers<string>();
    const control = runControl();
    const entry: CarriedRun = { cluster, run, moves: false, control, place: null, ended: Promise.resolve() };
    // Taken before the first await: two that come at once do not both get it.
    carried.set(cluster, entry);
    const telling = publisher(cluster);
    const onEvent = (event: RunEvent): void => {
      entry.run = event.run;
      entry.moves = true;
      telling.tell(event);
      named.resolve(event.run);
    };
    entry.ended = execute(entry, what, (context) => work({ ...context, control, onEvent }))
      .then(
        (run) => named.resolve(run),
        (error: unknown) => named.reject(error),
      )
      .finally(() => {
        carried.delete(cluster);
        telling.end();
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
      const place = await placeOf(used);
      // The Lease would not tell: its holder is this process, by whichever context.
      const same = [...carried.values()].find((one) => one.place === place);
      if (same) throw underWay(same);
      entry.place = place;
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
      return (await placeOf(used)) === found.place ? found : null;
    },
    settled: async () => {
      await Promise.all([...carried.values()].map(({ ended }) => ended));
    },
  };
}

/** What a second run is told, and whoever asks something of one that only begins here. */
export function underWay({ run }: CarriedRun): Refused {
  return new Refused(
    'run.under-way',
    run === null
      ? 'A run is about to begin on this cluster.'
      : `Run ${run} is under way on this cluster: one at a time.`,
  );
}

/** Left as it stands by a signal, or without the right or credentials to journal a pause: the next start looks at it again. */
function goesOnLater(outcome: Extract<RunResult, { outcome: unknown }>['outcome']): boolean {
  return outcome.kind === 'interrupted' || (outcome.kind === 'paused' && outcome.operation === null);
}
