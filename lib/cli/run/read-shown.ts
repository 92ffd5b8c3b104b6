import { memoryInFolder, type ReadRun, type RunMemory, readRunWithProvenance, stateFolder } from '#lib/run/index.ts';
import type { Invocation } from '../command.ts';
import type { OpenCluster } from '../open-cluster.ts';
import { journalNamespacesOf } from './journal-namespaces.ts';

/** A run to show, with its provenance; a foreign one without its own texts. Rejects with `not-found`. */
export async function readShown(invocation: Invocation, { kube }: OpenCluster, run: string): Promise<ReadRun> {
  return readRunWithProvenance(kube, journalNamespacesOf(invocation), run, await memoryOf(invocation));
}

/** This installation's memory of its runs. */
export async function memoryOf({ env }: Pick<Invocation, 'env'>): Promise<RunMemory> {
  return memoryInFolder(await stateFolder(env));
}
