import { type ConfirmedRun, continueRun, foreignBecause, type Releases, type RunMemory } from '#lib/run/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';
import { lookThroughForeignRun } from '#lib/usecases/index.ts';
import type { ClusterEntry, LookedThrough, Slug, TakeUp } from '../../host.ts';
import type { OpenClusters } from '../clusters/open-clusters.ts';
import { Refused } from '../refused.ts';
import { type ReleaseCache, wantedContents } from '../releases/release-cache.ts';
import type { CarriedRuns } from './carried-runs.ts';
import { refuseOtherName } from './starts.ts';

export type ForeignRuns = {
  /** Examines a foreign run, for its page. Throws `run.own` if the run is ours. */
  lookThrough(cluster: Slug, run: string, wanted: 'resume' | 'undo'): Promise<LookedThrough>;
  /** Carries on the run that was examined; resolves with the run that is carried now. Throws Refused. */
  takeUp(cluster: Slug, run: string, request: TakeUp): Promise<string>;
};

const reviewsKept = 16;
/** Findings and dry runs that are older than this are repeated before a start (operations.md › The journal and recovery). */
const freshMs = 5 * 60_000;

/** Runs of other installations, before they are carried here (docs/security.md). */
export function foreignRuns(options: {
  clusters: OpenClusters;
  carried: Pick<CarriedRuns, 'carry'>;
  cache: Pick<ReleaseCache, 'manifests' | 'open'>;
  memory: RunMemory;
  monotonic: () => number;
  signal: AbortSignal;
}): ForeignRuns {
  const { clusters, carried, cache, memory, monotonic, signal } = options;
  const reviewed = new Map<string, { confirmed: ConfirmedRun; name: string; at: number }>();
  const releasesOf =
    (kind: ClusterEntry['kind']): Releases =>
    (wanted) => {
      if (wanted.customResources !== undefined)
        throw new Refused(
          'run.custom-resources',
          'This run installs custom resources from its own file. Continue it on the command line: `signalbox resume`.',
        );
      return cache.open(wantedContents(wanted, kind));
    };

  return {
    lookThrough: (cluster, run, wanted) =>
      clusters.using(cluster, async ({ kube, clock, kind }) => {
        const ports = { manifests: cache.manifests(kind), releases: releasesOf(kind) };
        const context = { kube, clock, journalNamespaces, memory, ...ports, signal };
        const review = await lookThroughForeignRun(context, run, wanted);
        if (review === null)
          throw new Refused('run.own', 'This installation started this run: continue it from its page.');
        const { continuation, because, ...shown } = review;
        if (continuation !== null && review.problems.length === 0) {
          const { digest, cluster: name } = review;
          reviewed.delete(digest);
          reviewed.set(digest, { confirmed: { digest, ...continuation }, name, at: monotonic() });
          for (const oldest of reviewed.keys()) if (reviewed.size > reviewsKept) reviewed.delete(oldest);
        }
        return { ...shown, because: foreignBecause(because) };
      }),
    takeUp: async (cluster, run, { digest, how, confirmation }) => {
      const looked = reviewed.get(digest);
      if (!looked || monotonic() - looked.at > freshMs || looked.confirmed.how !== how)
        throw new Refused('run.changed', 'The review of this run is too old. Review it again, then continue.');
      refuseOtherName(looked.name, confirmation);
      const { confirmed } = looked;
      return carried.carry(cluster, 'take up', (context) => continueRun(context, run, { how, confirmed }), run);
    },
  };
}
