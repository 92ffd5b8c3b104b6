import { type Carrier, carrierOf, type Identity, type Journal, reportOf } from '#lib/run/index.ts';
import type { RunDetails, Slug } from '../host.ts';
import type { RunView } from '../wire.ts';
import type { CarriedRuns } from './carried-runs.ts';
import { journalNamespace } from './journal-namespace.ts';
import type { UsedCluster } from './open-clusters.ts';
import { readKnownRun } from './read-known-run.ts';

export type RunDetailsOptions = {
  carried: CarriedRuns;
  identity: Identity;
  viewOfRun: (cluster: Slug, run: string) => Promise<RunView>;
};

/** A run as its page shows it. Throws `run.not-found` and KubeError. */
export async function runDetails(
  { carried, identity, viewOfRun }: RunDetailsOptions,
  used: UsedCluster,
  run: string,
): Promise<RunDetails> {
  const { kube, clock, slug } = used;
  const { plan, journal } = await readKnownRun(kube, run);
  const [carrier, view, own] = await Promise.all([
    carrierOf(kube, clock, journalNamespace),
    viewOfRun(slug, run),
    carried.carrying(used, run),
  ]);
  const carriedBy = own ? 'us' : carriedByOther(journal, carrier, identity);
  return { view, report: reportOf(plan, journal), plan, carrier, carriedBy };
}

/** A Lease says that somebody carries a run on this cluster; a run that stands still is not the one. */
function carriedByOther({ state }: Journal, { alive, holder }: Carrier, identity: Identity): 'other' | 'nobody' {
  if (state.kind !== 'running' || !alive || holder === `${identity.install}/${identity.process}`) return 'nobody';
  return 'other';
}
