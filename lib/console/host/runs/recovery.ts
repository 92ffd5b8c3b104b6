import { backOffMs } from '#lib/base/async/back-off.ts';
import { messageOf } from '#lib/base/message-of.ts';
import type { Kube } from '#lib/kube/index.ts';
import { PlanError } from '#lib/plan/index.ts';
import {
  carriesOut,
  continueRun,
  type Identity,
  lastHolder,
  leaseRef,
  listRuns,
  type RunMemory,
  type RunSummary,
  readLease,
  sweepLeftServices,
  unfinishedRun,
} from '#lib/run/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';
import { sweepLeftProbe } from '#lib/usecases/index.ts';
import type { Slug } from '../../host.ts';
import type { OpenClusters } from '../clusters/open-clusters.ts';
import type { DraftStore } from '../drafts/draft-store.ts';
import type { HostLog } from '../host-log.ts';
import { Refused } from '../refused.ts';
import type { CarriedRecord } from './carried-record.ts';
import type { CarriedRuns } from './carried-runs.ts';
import { readKnownRun } from './read-known-run.ts';

/** Longer than the time for which a holder that may be alive is watched. */
const sweptWithinMs = 30_000;

export type RecoveryOptions = {
  clusters: OpenClusters;
  carried: CarriedRuns;
  record: CarriedRecord;
  drafts: Pick<DraftStore, 'adopt'>;
  identity: Identity;
  memory: RunMemory;
  /** Resolves after so many milliseconds; rejects when the console stops. */
  sleep: (ms: number) => Promise<void>;
  signal: AbortSignal;
  log: HostLog;
};

/**
 * Takes up the runs that an earlier process of this installation left. Connects only to clusters in its record. A paused run stays paused. A cluster
 * that does not answer, or a sandbox that another process has open, is tried again until it does; the start waits for none of that.
 */
export async function recoverRuns(options: RecoveryOptions): Promise<void> {
  const clusters = await options.record.all();
  await Promise.all(clusters.map((cluster) => recoverOne(options, cluster)));
}

async function recoverOne(options: RecoveryOptions, cluster: Slug): Promise<void> {
  const { signal, sleep, log } = options;
  let logged = '';
  for (let tries = 0; !signal.aborted; tries++) {
    try {
      return await carryOn(options, cluster);
    } catch (error) {
      const message = messageOf(error);
      if (signal.aborted) return;
      if (message !== logged) log(`${cluster}: the run that was left here does not continue yet: ${message}`, error);
      logged = message;
    }
    await sleep(backOffMs(tries, { firstMs: 1_000, mostMs: 60_000, least: 0.5 }, Math.random)).catch(() => undefined);
  }
}

async function carryOn(
  { clusters, carried, record, drafts, identity, memory, log }: RecoveryOptions,
  cluster: Slug,
): Promise<void> {
  // The user has already pressed a button.
  if (carried.of(cluster)) return;
  const found = await clusters
    .using(cluster, ({ kube }) => unfinishedOwnRun(kube, identity, memory))
    .catch((error: unknown) => {
      // A plan that cannot be read now cannot be read at the next try either.
      if (!(error instanceof Error && error.cause instanceof PlanError)) throw error;
      log(`${cluster}: the run that was left here does not continue: ${error.message}`, error);
      return null;
    });
  // A run on its way back does not stand for the plan that the draft wanted to start.
  if (found && carriesOut(found, found.planHash)) await drafts.adopt(cluster, found.planHash, found.run);
  if (found?.state.kind !== 'running') {
    await clusters.using(cluster, async ({ kube, clock }) => {
      await sweepLeftServices(kube, journalNamespaces);
      await sweepLeftProbe({ kube, clock, signal: AbortSignal.timeout(sweptWithinMs) }).catch(() => {});
    });
    return record.remove(cluster);
  }
  const { run } = found;
  log(`${cluster}: run ${run} was in progress when the last process ended; it continues`);
  try {
    await carried.carry(cluster, 'recovery', (context) => continueRun(context, run, { how: 'resume' }), run);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    log(`${cluster}: run ${run} does not continue: ${error.message}`);
  }
}

/** The unfinished run that this installation carried last; null if there is none. */
async function unfinishedOwnRun(kube: Kube, identity: Identity, memory: RunMemory): Promise<RunSummary | null> {
  const unfinished = unfinishedRun(await listRuns(kube, journalNamespaces));
  if (!unfinished || unfinished.state.kind === 'unreadable') return null;
  const { journal, provenance } = await readKnownRun(kube, unfinished.run, memory);
  // A foreign journal may claim that we started it. Only a run that is sealed here continues without a signed-in user.
  if (provenance.kind === 'foreign') return null;
  const lease = await kube.get(leaseRef(unfinished.namespace));
  const holder = lease ? readLease(lease).holder : '';
  const last = holder === '' ? lastHolder(journal) : holder;
  return last.split('/')[0] === identity.install ? unfinished : null;
}
