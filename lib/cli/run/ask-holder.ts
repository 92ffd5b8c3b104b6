import {
  answeredRequests,
  holderIdentity,
  leaseRef,
  ownIdentity,
  processState,
  readLease,
  readRun,
  sendRequest,
  stateFolder,
} from '#lib/run/index.ts';
import type { Invocation } from '../command.ts';
import { CliError, exit } from '../exit.ts';
import type { OpenCluster } from '../open-cluster.ts';
import { journalNamespacesOf } from './journal-namespaces.ts';

const answerWithinMs = 30_000;

/** Whether some living process holds the Lease. A holder of this installation whose process has ended does not. */
export async function heldBySomebody(invocation: Invocation, cluster: OpenCluster): Promise<boolean> {
  for (const namespace of journalNamespacesOf(invocation))
    if (await isHeldIn(invocation, cluster, namespace)) return true;
  return false;
}

async function isHeldIn(invocation: Invocation, { kube, clock }: OpenCluster, place: string): Promise<boolean> {
  const object = await kube.get(leaseRef(place));
  if (!object) return false;
  const { holder, renewTime } = readLease(object);
  if (holder === '') return false;
  const [install, process] = holder.split('/');
  const own = await ownIdentity(await stateFolder(invocation.env));
  const state = install === own.install && process !== undefined ? await processState(process) : 'elsewhere';
  if (state !== 'elsewhere') return state === 'alive';
  // Of another machine: a Lease that was renewed while we looked is held.
  const first = renewTime;
  await clock.sleep(6_000, invocation.signal);
  const again = await kube.get(leaseRef(place));
  return again !== null && readLease(again).holder === holder && readLease(again).renewTime !== first;
}

/** Leaves the request on the run's journal and waits for its holder to answer there. */
export async function askHolder(
  invocation: Invocation,
  { kube, clock }: OpenCluster,
  run: string,
  action: 'pause' | 'stop' | 'undo',
): Promise<void> {
  const journalNamespaces = journalNamespacesOf(invocation);
  const by = holderIdentity(await ownIdentity(await stateFolder(invocation.env)));
  const before = answeredRequests((await readRun(kube, journalNamespaces, run)).journal).length;
  await sendRequest(kube, journalNamespaces, run, action, by, clock);
  const began = clock.monotonic();
  while (clock.monotonic() - began < answerWithinMs) {
    const { journal } = await readRun(kube, journalNamespaces, run);
    const answered = answeredRequests(journal).slice(before);
    if (answered.some((request) => request.includes(by))) return;
    await clock.sleep(500, invocation.signal);
  }
  throw new CliError(
    exit.notAsAsked,
    `The process that carries run ${run} did not answer within 30 s. Its Lease runs out 15 s after it is gone; then \`signalbox ${action} ${run}\` acts itself.`,
  );
}
