import {
  listRunsToShow,
  memoryInFolder,
  type ReadRun,
  type RunMemory,
  readRunWithProvenance,
  type ShownRun,
  stateFolder,
} from '#lib/run/index.ts';
import type { Invocation } from '../command.ts';
import type { OpenCluster } from '../open-cluster.ts';
import { journalNamespacesOf } from './journal-namespaces.ts';

/** A run to show, with its provenance; a foreign one without its own texts. Rejects with `not-found`. */
export async function readShown(invocation: Invocation, { kube }: OpenCluster, run: string): Promise<ReadRun> {
  return readRunWithProvenance(kube, journalNamespacesOf(invocation), run, await memoryOf(invocation));
}

/** The runs of a cluster for a list, newest first, each with its provenance. */
export function listShown(invocation: Invocation, { kube }: OpenCluster): Promise<ShownRun[]> {
  return listRunsToShow(kube, journalNamespacesOf(invocation), () => memoryOf(invocation));
}

/** This installation's memory of its runs. */
export async function memoryOf({ env }: Pick<Invocation, 'env'>): Promise<RunMemory> {
  return memoryInFolder(await stateFolder(env));
}
