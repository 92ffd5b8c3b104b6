import { isKubeError, isLeftOut, type KubeError } from '#lib/kube/index.ts';
import { type LeaseHolder, leaseHolderOf, listRunsToShow, mergedRuns, type ShownRun } from '#lib/run/index.ts';
import type { ClusterStatus } from '#lib/status/index.ts';
import type { Invocation } from '../command.ts';
import type { OpenCluster } from '../open-cluster.ts';
import { journalNamespacesOf } from './journal-namespaces.ts';
import { memoryOf } from './read-shown.ts';

/**
 * The runs of a cluster, newest first, and the process that executes them, as far as the credentials may read them. `holder`: null if that could not be
 * read. `unknown`: the kinds that are missing, in the form of a status. `refused`: the first refusal of a namespace's runs; null for a dump, which only lacks
 * them. `areAnyRead`, `areAllRead`: whether the runs of at least one namespace, or of each, were read.
 */
export type ReadableRuns = {
  runs: ShownRun[];
  holder: LeaseHolder | null;
  unknown: ClusterStatus['unknown'];
  refused: KubeError | null;
  areAnyRead: boolean;
  areAllRead: boolean;
};

/** What a refusal means for who reads the runs. */
const meanings = {
  ConfigMap: 'Runs may be missing here',
  Lease: 'The process that executes a run was not verified',
};
type Kind = keyof typeof meanings;

export async function readableRuns(invocation: Invocation, { kube, clock }: OpenCluster): Promise<ReadableRuns> {
  const namespaces = journalNamespacesOf(invocation);
  const unknown = new Map<Kind, KubeError>();
  const found: ShownRun[][] = [];
  /** Keeps the first error of a kind that is withheld. Throws any other error. */
  const keepFirst = (kind: Kind, error: unknown) => {
    if (!isKubeError(error, 'forbidden') && !isLeftOut(kube, error)) throw error;
    if (!unknown.has(kind)) unknown.set(kind, error);
  };
  // One namespace after the other, because a Role may allow only one of them.
  for (const namespace of namespaces)
    try {
      found.push(await listRunsToShow(kube, [namespace], () => memoryOf(invocation)));
    } catch (error) {
      keepFirst('ConfigMap', error);
    }
  const runs = mergedRuns(found);
  // Dumps hold no Lease. That matters only to a run that is under way.
  const isLeaseNeeded = kube.source !== 'dump' || runs.some(({ state }) => state.kind === 'running');
  const holder = !isLeaseNeeded
    ? null
    : await leaseHolderOf(kube, clock, namespaces).catch((error: unknown) => {
        keepFirst('Lease', error);
        return null;
      });
  return {
    runs,
    holder,
    unknown: [...unknown].map(([kind, { message }]) => ({ kind, because: `${meanings[kind]}: ${message}` })),
    refused: kube.source === 'dump' ? null : (unknown.get('ConfigMap') ?? null),
    areAnyRead: found.length > 0,
    areAllRead: !unknown.has('ConfigMap'),
  };
}
