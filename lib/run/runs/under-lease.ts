import { isKubeError, type Kube } from '#lib/kube/index.ts';
import type { JournalNamespaces } from '#lib/spec/index.ts';
import { acquireLease, type HeldLease, leaseTimes, livingLeaseHolder } from '../engine/lease.ts';
import { listRuns } from '../journal/list-runs.ts';
import { processState } from '../state-folder/identity.ts';
import type { Refusal, RunContext } from './run-context.ts';

type LeaseContext = Pick<RunContext, 'kube' | 'clock' | 'journalNamespaces' | 'identity' | 'signal' | 'stateOf'>;

/** Works under the Lease of this namespace, while no process holds one in another. */
export async function underLease<R>(
  context: LeaseContext,
  namespace: string,
  work: (lease: HeldLease) => Promise<R>,
): Promise<R | { refused: Refusal & { kind: 'held' } }> {
  const { kube, clock, journalNamespaces, identity, signal, stateOf = processState } = context;
  // If the old process of the same installation has ended, there is no need to wait.
  const isDead = async (holder: string) => {
    const [install, process] = holder.split('/');
    return install === identity.install && process !== undefined && (await stateOf(process)) === 'dead';
  };
  const options = { kube, clock, identity, signal, isDead };
  const lease = await acquireLease({ ...options, namespace, patienceMs: leaseTimes.durationMs + 1_000 });
  if ('kind' in lease) return { refused: await held(context, lease.holder) };
  try {
    for (const beside of journalNamespaces.filter((one) => one !== namespace)) {
      const other = await livingLeaseHolder({ ...options, namespace: beside });
      if (other) return { refused: await held(context, other.holder) };
    }
    return await work(lease);
  } finally {
    await lease.release();
  }
}

async function held({ kube, journalNamespaces }: LeaseContext, holder: string): Promise<Refusal & { kind: 'held' }> {
  return { kind: 'held', holder, run: await runningRun(kube, journalNamespaces) };
}

async function runningRun(kube: Kube, journalNamespaces: JournalNamespaces): Promise<string | null> {
  try {
    return (await listRuns(kube, journalNamespaces)).find((run) => run.state.kind === 'running')?.run ?? null;
  } catch (error) {
    if (isKubeError(error)) return null;
    throw error;
  }
}
