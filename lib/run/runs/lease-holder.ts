import type { Clock, Kube } from '#lib/kube/index.ts';
import type { JournalNamespaces } from '#lib/spec/index.ts';
import { leaseRef, leaseTimes, readLease } from '../engine/lease.ts';
import { holderIdentity, processState } from '../state-folder/identity.ts';
import type { RunContext } from './run-context.ts';

/** Whether some process carries runs on this cluster now, as far as one look can tell. */
export type LeaseHolder = { holder: string | null; alive: boolean; since: string | null };

/**
 * A holder of this machine is asked for by its process and counts as alive for one Lease duration after it renewed; one of another machine counts as alive while its renewals are younger than two
 * Lease durations by our clock. For people only: whoever wants to act watches the Lease itself (`acquireLease`).
 */
export async function leaseHolderOf(
  kube: Kube,
  clock: Clock,
  journalNamespaces: JournalNamespaces,
): Promise<LeaseHolder> {
  const holders: LeaseHolder[] = [];
  for (const namespace of journalNamespaces) holders.push(await holderIn(kube, clock, namespace));
  return holders.find(({ alive }) => alive) ?? holders.find(({ holder }) => holder !== null) ?? nobody;
}

const nobody: LeaseHolder = { holder: null, alive: false, since: null };

async function holderIn(kube: Kube, clock: Clock, namespace: string): Promise<LeaseHolder> {
  const object = await kube.get(leaseRef(namespace));
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
 * Whether the holder is a process of this machine that runs and renews its Lease: its clock is ours, and one that runs and no longer renews hangs. Null
 * for a process of another machine.
 */
async function holdsHere(lease: Renewed, clock: Clock): Promise<boolean | null> {
  const state = await processState(lease.holder.split('/')[1] ?? '');
  if (state === 'elsewhere') return null;
  return state === 'alive' && ageMs(lease, clock) < leaseTimes.durationMs;
}

/** A holder renews every 5 s: whoever did not within this is silent. */
const watchedMs = leaseTimes.renewEveryMs + 1_000;

/**
 * The living process that carries runs on this cluster and is not this one, or null: who a request has to be sent to. A holder of this machine is looked
 * at by its process, of whichever installation it is, and by the age of its last renewal; one of another machine is watched for 6 s.
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
    // Whoever takes a run up watches its Lease once more.
    const here = await holdsHere(lease, clock);
    if (here === true) return lease.holder;
    if (here === false) continue;
    await clock.sleep(watchedMs, signal);
    const again = await leaseIn(namespace);
    if (again?.holder === lease.holder && again.renewTime !== lease.renewTime) return lease.holder;
  }
  return null;
}
