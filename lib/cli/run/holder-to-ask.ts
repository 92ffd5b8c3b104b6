import { ownIdentity, type RunState, stateFolder } from '#lib/run/index.ts';
import { askHolder, meetRequestFromOutside, type RunAction } from '#lib/usecases/index.ts';
import type { Invocation } from '../command.ts';
import type { OpenCluster } from '../open-cluster.ts';
import { refusalWithCommand } from './carry-run.ts';
import { journalNamespacesOf } from './journal-namespaces.ts';

/**
 * If another process carries the run: a function that sends it the request, and rejects unless it complies. Null: this process takes the run up. Rejects if the
 * request is not possible in the run's state.
 */
export async function holderToAsk(
  invocation: Invocation,
  { kube, clock }: OpenCluster,
  action: RunAction,
  { run, state }: { run: string; state: RunState },
): Promise<(() => Promise<void>) | null> {
  const { args, env, signal } = invocation;
  const found = args.length === 0 ? run : undefined;
  const identity = await ownIdentity(await stateFolder(env));
  const context = { kube, clock, journalNamespaces: journalNamespacesOf(invocation), identity, signal };
  const met = await meetRequestFromOutside(context, action, { run, state });
  if ('refused' in met) throw refusalWithCommand(met.refused, found);
  if (met.by !== 'holder') return null;
  return async () => {
    const refusal = await askHolder(context, run, met);
    if (refusal) throw refusalWithCommand(refusal, found);
  };
}
