import { isKubeError, type Kube } from '#lib/kube/index.ts';
import { type ReadRun, type RunMemory, readRunWithProvenance } from '#lib/run/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';
import { refusalAsError } from '../failures.ts';

/** The run comes from a URL; it becomes part of an object's name. */
const runPattern = /^[a-z0-9][a-z0-9-]{0,60}$/;

/** Plan and journal of a run, and whose word they are. Throws `run.not-found`. */
export async function readKnownRun(kube: Kube, run: string, memory: RunMemory): Promise<ReadRun> {
  if (!runPattern.test(run)) throw refusalAsError({ kind: 'no-such-run' });
  try {
    return await readRunWithProvenance(kube, journalNamespaces, run, memory);
  } catch (error) {
    if (isKubeError(error, 'not-found')) throw refusalAsError({ kind: 'no-such-run' });
    throw error;
  }
}
