import { isKubeError, type Kube } from '#lib/kube/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import { type Journal, readRun } from '#lib/run/index.ts';
import { journalNamespace } from './journal-namespace.ts';
import { Refused } from './refused.ts';

/** The run comes from a URL; it becomes part of an object's name. */
const runPattern = /^[a-z0-9][a-z0-9-]{0,60}$/;

/** Plan and journal of a run. Throws `run.not-found`. */
export async function readKnownRun(kube: Kube, run: string): Promise<{ plan: Plan; journal: Journal }> {
  if (!runPattern.test(run)) throw new Refused('run.not-found', 'There is no run of that name on this cluster.');
  try {
    return await readRun(kube, journalNamespace, run);
  } catch (error) {
    if (isKubeError(error, 'not-found'))
      throw new Refused('run.not-found', 'There is no run of that name on this cluster.');
    throw error;
  }
}
