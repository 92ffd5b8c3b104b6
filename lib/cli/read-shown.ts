import { memoryInFolder, type ReadRun, readRunWithProvenance, stateFolder } from '#lib/run/index.ts';
import type { Invocation } from './command.ts';
import type { OpenCluster } from './open-cluster.ts';
import { journalNamespacesOf } from './run/journal-namespaces.ts';

/** A run as a command shows it: whose word it is, and a foreign one without its own words. Rejects with `not-found`. */
export async function readShown(invocation: Invocation, { kube }: OpenCluster, run: string): Promise<ReadRun> {
  const memory = await memoryInFolder(await stateFolder(invocation.env));
  return readRunWithProvenance(kube, journalNamespacesOf(invocation), run, memory);
}
