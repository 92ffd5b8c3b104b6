import type { Clock, Kube } from '#lib/kube/index.ts';
import type { JournalNamespaces } from '#lib/spec/index.ts';
import { leaseRef, leaseTimes, readLease } from '../engine/lease.ts';
import { processState } from '../state-folder/identity.ts';

/** Whether some process carries runs on this cluster now, as far as one look can tell. */
export type LeaseHolder = { holder: string | null; alive: boolean; since: string | null };

/**
 * A holder of this machine is asked for by its process; one of another machine counts as alive while its renewals are younger than two
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
  const state = await processState(lease.holder.split('/')[1] ?? '');
  const ageMs = clock.now() - Date.parse(lease.renewTime);
  const alive = state === 'elsewhere' ? ageMs < 2 * leaseTimes.durationMs : state === 'alive';
  return { holder: lease.holder, alive, since: lease.renewTime };
}
