import { isKubeError, type Kube } from '#lib/kube/index.ts';
import {
  isRunName,
  listRuns,
  type ReadRun,
  type Report,
  type RunMemory,
  readRunWithProvenance,
  reportOf,
} from '#lib/run/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';
import type { FlagsByProgram } from '#lib/text/index.ts';
import type { UsedCluster } from '../clusters/open-clusters.ts';
import { refusalAsError } from '../failures.ts';

/** Plan and journal of a run, and whether the run is ours or foreign. Throws `run.not-found`. */
export async function readKnownRun(kube: Kube, run: string, memory: RunMemory): Promise<ReadRun> {
  if (!isRunName(run)) throw refusalAsError({ kind: 'no-such-run' });
  try {
    return await readRunWithProvenance(kube, journalNamespaces, run, memory);
  } catch (error) {
    if (isKubeError(error, 'not-found')) throw refusalAsError({ kind: 'no-such-run' });
    throw error;
  }
}

/**
 * The report of a run, with what the cluster's other runs decide about its way back; `withFlags` is the same one whose commands reach the cluster by other
 * flags. Throws `run.not-found` and KubeError.
 */
export async function readReport(
  { kube, flags }: Pick<UsedCluster, 'kube' | 'flags'>,
  run: string,
  memory: RunMemory,
): Promise<ReadRun & { report: Report; withFlags(other: FlagsByProgram): Report }> {
  const read = await readKnownRun(kube, run, memory);
  const { plan, journal, provenance } = read;
  const besides = await listRuns(kube, journalNamespaces);
  const withFlags = (other: FlagsByProgram) => reportOf(plan, journal, provenance, { besides, flags: other });
  return { ...read, report: withFlags(flags), withFlags };
}
