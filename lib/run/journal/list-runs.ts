import { type Kube, KubeError } from '#lib/kube/index.ts';
import { inOwnWords, type Plan } from '#lib/plan/index.ts';
import { type JournalPlaces, names, resources } from '#lib/spec/index.ts';
import type { RunMemory } from '../memory/run-memory.ts';
import type { Journal } from '../model/journal.ts';
import type { Provenance } from '../model/provenance.ts';
import { type RunSummary, runSummaryOf, runsOfPlaces } from '../model/run-summary.ts';
import { openJournal, readJournal } from './journal-store.ts';
import { placeOfRun } from './namespace-of-run.ts';

/** Newest first. A journal that this version cannot read is listed all the same: it may be a run that has not ended. */
export async function listRuns(kube: Kube, places: JournalPlaces): Promise<RunSummary[]> {
  const found: RunSummary[][] = [];
  for (const namespace of places) {
    const runs: RunSummary[] = [];
    for await (const page of kube.list(resources.configMaps, { namespace, labelSelector: names.runLabel }))
      runs.push(...page.items.map(runSummaryOf));
    found.push(runs);
  }
  return runsOfPlaces(found);
}

/** A run as it lies in the cluster: evidence, whoever wrote it. Rejects with `not-found`. */
export async function readRun(
  kube: Kube,
  places: JournalPlaces,
  run: string,
): Promise<{ plan: Plan; journal: Journal }> {
  const found = await readJournal(kube, await placeOfRun(kube, places, run), run);
  if (!found) throw new KubeError('not-found', `There is no run ${JSON.stringify(run)} on this cluster.`);
  return { plan: found.plan, journal: found.journal };
}

export type ReadRun = { plan: Plan; journal: Journal; provenance: Provenance };

/** The same as a face shows it: whose word it is, and the plan of a foreign one without its own words. Rejects with `not-found`. */
export async function readRunWithProvenance(
  kube: Kube,
  places: JournalPlaces,
  run: string,
  memory: RunMemory,
): Promise<ReadRun> {
  const opened = await openJournal(kube, await placeOfRun(kube, places, run), run, memory);
  if (!opened) throw new KubeError('not-found', `There is no run ${JSON.stringify(run)} on this cluster.`);
  const { plan, provenance } = opened;
  return { plan: provenance.kind === 'own' ? plan : inOwnWords(plan), journal: opened.current(), provenance };
}
