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

/** A run as a command shows it: whose word it is, and a foreign one without its own words. Rejects with `not-found`. */
export async function readShown(invocation: Invocation, { kube }: OpenCluster, run: string): Promise<ReadRun> {
  return readRunWithProvenance(kube, journalNamespacesOf(invocation), run, await memoryOf(invocation));
}

/** The runs of a cluster as a command lists them, newest first: whose word each is. */
export function listShown(invocation: Invocation, { kube }: OpenCluster): Promise<ShownRun[]> {
  return listRunsToShow(kube, journalNamespacesOf(invocation), () => memoryOf(invocation));
}

/** What this installation remembers of its runs. */
export async function memoryOf({ env }: Pick<Invocation, 'env'>): Promise<RunMemory> {
  return memoryInFolder(await stateFolder(env));
}
