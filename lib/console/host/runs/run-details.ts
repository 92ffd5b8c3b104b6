import { isKubeError } from '#lib/kube/index.ts';
import {
  holderIdentity,
  type Identity,
  type Journal,
  type LeaseHolder,
  leaseHolderOf,
  type RunMemory,
} from '#lib/run/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';
import type { RunDetails, Slug } from '../../host.ts';
import type { RunView } from '../../wire.ts';
import type { UsedCluster } from '../clusters/open-clusters.ts';
import type { CarriedRuns } from './carried-runs.ts';
import { readReport } from './read-known-run.ts';

export type RunDetailsOptions = {
  carried: CarriedRuns;
  identity: Identity;
  memory: RunMemory;
  viewOfRun: (cluster: Slug, run: string) => Promise<RunView>;
};

/** How long a page waits for an API server that does not answer, in ms, if there is an older state to show. */
const patienceMs = 5_000;
const knownKept = 32;

/**
 * Runs as their pages show them. While the API server is away, the last state is shown and `view.stale` says since when, so that a reload during an
 * outage shows no less than the page before. Throws `run.not-found` and KubeError.
 */
export function runDetails(options: RunDetailsOptions): (used: UsedCluster, run: string) => Promise<RunDetails> {
  const known = new Map<string, { details: RunDetails; readAt: string }>();

  return async (used, run) => {
    const key = `${used.slug} ${run}`;
    const before = known.get(key);
    const reading = readDetails(options, used, run).then((details) => {
      known.delete(key);
      known.set(key, { details, readAt: new Date().toISOString() });
      for (const oldest of known.keys()) if (known.size > knownKept) known.delete(oldest);
      return details;
    });
    if (!before) return reading;
    const away = new AbortController();
    try {
      return await Promise.race([reading, tooLong(away.signal)]);
    } catch (error) {
      if (!isAway(error)) throw error;
      // The reading goes on unobserved: without this, its failure would be an unhandled rejection.
      reading.catch(() => undefined);
      const { view, ...rest } = before.details;
      const stale = { since: before.readAt, message: error.message };
      return { ...rest, view: view.stale ? view : { ...view, stale } };
    } finally {
      away.abort();
    }
  };
}

async function readDetails(
  { carried, identity, memory, viewOfRun }: RunDetailsOptions,
  used: UsedCluster,
  run: string,
): Promise<RunDetails> {
  const { kube, clock, slug } = used;
  const { plan, journal, report } = await readReport(used, run, memory);
  const [leaseHolder, view, own] = await Promise.all([
    leaseHolderOf(kube, clock, journalNamespaces),
    viewOfRun(slug, run),
    carried.carrying(used, run),
  ]);
  const carriedBy = own ? 'us' : carriedByOther(journal, leaseHolder, identity);
  return { view, report, plan, leaseHolder, carriedBy, us: holderIdentity(identity) };
}

class TooLong extends Error {}

function tooLong(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(
      () => reject(new TooLong(`The API server has not answered for ${patienceMs / 1000} s.`)),
      patienceMs,
    );
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
}

function isAway(error: unknown): error is Error {
  return error instanceof TooLong || isKubeError(error, 'unreachable', 'timeout', 'server', 'too-many-requests');
}

/** Whether another process carries this run. A Lease says only that some run on this cluster is carried, so a run that is paused or over is not the one. */
function carriedByOther({ state }: Journal, { alive, holder }: LeaseHolder, identity: Identity): 'other' | 'nobody' {
  if (state.kind !== 'running' || !alive || holder === holderIdentity(identity)) return 'nobody';
  return 'other';
}
