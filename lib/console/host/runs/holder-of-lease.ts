import type { Clock, Kube } from '#lib/kube/index.ts';
import { type Identity, leaseRef, processState, readLease } from '#lib/run/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';

/** A holder renews every 5 s: whoever did not within this is silent. */
const watchedMs = 6_000;

/** The living process that holds the Lease and is not this one, or null. A holder of another machine is watched for 6 s. */
export async function otherHolder(
  { kube, clock }: { kube: Kube; clock: Clock },
  identity: Identity,
  signal: AbortSignal,
): Promise<string | null> {
  for (const place of journalNamespaces) {
    const holder = await otherHolderIn(place, { kube, clock }, identity, signal);
    if (holder !== null) return holder;
  }
  return null;
}

async function otherHolderIn(
  place: string,
  { kube, clock }: { kube: Kube; clock: Clock },
  identity: Identity,
  signal: AbortSignal,
): Promise<string | null> {
  const object = await kube.get(leaseRef(place), { signal });
  if (!object) return null;
  const { holder, renewTime } = readLease(object);
  const [install, process = ''] = holder.split('/');
  if (holder === '' || (install === identity.install && process === identity.process)) return null;
  // Of another installation too: on this machine its process can be looked at.
  const state = await processState(process);
  if (state !== 'elsewhere') return state === 'alive' ? holder : null;
  await clock.sleep(watchedMs, signal);
  const again = await kube.get(leaseRef(place), { signal });
  return again !== null && readLease(again).holder === holder && readLease(again).renewTime !== renewTime
    ? holder
    : null;
}
