import { type Clock, getHeld, type Kube } from '#lib/kube/index.ts';
import type { JournalNamespaces } from '#lib/spec/index.ts';
import { leaseRef, leaseTimes, readLease } from '../engine/lease.ts';
import { holderIdentity, processState } from '../state-folder/identity.ts';
import type { RunContext } from './run-context.ts';

/** Whether a process carries runs on this cluster now, as far as one look shows. */
export type LeaseHolder = { holder: string | null; alive: boolean; since: string | null };

/**
 * A holder on this machine counts as alive if its process runs and it renewed within one Lease duration; a holder on another machine, if its renewals
 * are younger than two Lease durations by our clock. For display only: a process that wants to act watches the Lease itself (`acquireLease`).
 * Rejects with `not-served` for a dump without Leases: whoever carried runs there was not read.
 */
export async function leaseHolderOf(
  kube: Kube,
  clock: Clock,
  journalNamespaces: JournalNamespaces,
): Promise<LeaseHolder> {
  let silent = nobody;
  for (const namespace of journalNamespaces) {
    const found = await holderIn(kube, clock, namespace);
    // The other namespaces are not read: the credentials may not allow it.
    if (found.alive) return found;
    if (silent.holder === null) silent = found;
  }
  return silent;
}

const nobody: LeaseHolder = { holder: null, alive: false, since: null };

async function holderIn(kube: Kube, clock: Clock, namespace: string): Promise<LeaseHolder> {
  const object = await getHeld(kube, leaseRef(namespace));
  const lease = object ? readLease(object) : null;
  if (!lease || lease.holder === '') return nobody;
  const alive = (await holdsHere(lease, clock)) ?? ageMs(lease, clock) < 2 * leaseTimes.durationMs;
  return { holder: lease.holder, alive, since: lease.renewTime };
}

type Renewed = { holder: string; renewTime: string };

function ageMs({ renewTime }: Renewed, clock: Clock): number {
  return clock.now() - Date.parse(renewTime);
}

/**
 * Whether the holder is a process of this machine that runs and renews its Lease; a process that runs without renewing hangs. Null for a process of
 * another machine.
 */
async function holdsHere(lease: Renewed, clock: Clock): Promise<boolean | null> {
  const state = await processState(lease.holder.split('/')[1] ?? '');
  if (state === 'elsewhere') return null;
  return state === 'alive' && ageMs(lease, clock) < leaseTimes.durationMs;
}

/** A holder renews every 5 s, so one that did not within this time is silent. */
const watchedMs = leaseTimes.renewEveryMs + 1_000;

/**
 * The living process other than this one that carries runs on this cluster, to which a request must be sent; null if there is none. A holder on this
 * machine, of whichever installation, is checked by its process and the age of its last renewal; one on another machine is watched for 6 s.
 */
export async function otherHolder({
  kube,
  clock,
  journalNamespaces,
  identity,
  signal,
}: Pick<RunContext, 'kube' | 'clock' | 'journalNamespaces' | 'identity' | 'signal'>): Promise<string | null> {
  const leaseIn = async (namespace: string) => {
    const object = await kube.get(leaseRef(namespace), { signal });
    return object ? readLease(object) : null;
  };
  for (const namespace of journalNamespaces) {
    const lease = await leaseIn(namespace);
    if (!lease || lease.holder === '' || lease.holder === holderIdentity(identity)) continue;
    // A process that takes a run up watches the Lease itself (`acquireLease`).
    const here = await holdsHere(lease, clock);
    if (here === true) return lease.holder;
    if (here === false) continue;
    await clock.sleep(watchedMs, signal);
    const again = await leaseIn(namespace);
    if (again?.holder === lease.holder && again.renewTime !== lease.renewTime) return lease.holder;
  }
  return null;
}
