import type { Kube } from '#lib/kube/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import { type Journal, listRuns, readRun } from '#lib/run/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';

/** The newest run, as it is in the cluster. */
export async function newestRun(kube: Kube): Promise<{ plan: Plan; journal: Journal }> {
  const [newest] = await listRuns(kube, journalNamespaces);
  if (!newest) throw new Error('there is no run on this cluster');
  return readRun(kube, journalNamespaces, newest.run);
}

/** This run, as it is in the cluster. */
export function runNamed(kube: Kube, run: string): Promise<{ plan: Plan; journal: Journal }> {
  return readRun(kube, journalNamespaces, run);
}

/** Operations that were begun and have not finished, in the direction in which the run goes. */
export async function openOperations(kube: Kube): Promise<string[]> {
  const { plan, journal } = await newestRun(kube);
  const direction = journal.entries.some(({ what }) => what === 'undo-asked') ? 'undo' : 'forward';
  const seqs = (what: 'begun' | 'finished') =>
    journal.entries.flatMap((entry) => (entry.what === what && entry.direction === direction ? [entry.seq] : []));
  const finished = seqs('finished');
  const open = [...new Set(seqs('begun'))].filter((seq) => !finished.includes(seq));
  return plan.operations.filter(({ seq }) => open.includes(seq)).map(({ id }) => id);
}
