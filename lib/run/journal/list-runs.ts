import { type Kube, KubeError } from '#lib/kube/index.ts';
import { inOwnWords, type Plan } from '#lib/plan/index.ts';
import { type JournalNamespaces, names, resources } from '#lib/spec/index.ts';
import type { RunMemory } from '../memory/run-memory.ts';
import type { Journal } from '../model/journal.ts';
import type { Provenance } from '../model/provenance.ts';
import { mergedRuns, type RunSummary, runSummaryOf } from '../model/run-summary.ts';
import { claimed } from './claimed.ts';
import { openJournal, readJournal } from './journal-store.ts';
import { namespaceOfRun } from './namespace-of-run.ts';

/** Newest first. A journal that this version cannot read is listed all the same: it may be a run that has not ended. */
export async function listRuns(kube: Kube, journalNamespaces: JournalNamespaces): Promise<RunSummary[]> {
  const found: RunSummary[][] = [];
  for (const namespace of journalNamespaces) {
    const runs: RunSummary[] = [];
    for await (const page of kube.list(resources.configMaps, { namespace, labelSelector: names.runLabel }))
      runs.push(...page.items.map(runSummaryOf));
    found.push(runs);
  }
  return mergedRuns(found);
}

/** The same as a face lists them: from which release to which is said of runs of this installation alone, as anybody may write a journal. */
export async function listRunsToShow(
  kube: Kube,
  journalNamespaces: JournalNamespaces,
  memory: Pick<RunMemory, 'recall'>,
): Promise<RunSummary[]> {
  const runs = await listRuns(kube, journalNamespaces);
  return Promise.all(runs.map((run) => runToShow(run, memory)));
}

/** One of them. */
export async function runToShow(summary: RunSummary, memory: Pick<RunMemory, 'recall'>): Promise<RunSummary> {
  const { upgrade: said, ...rest } = summary;
  if (said === undefined) return summary;
  const upgrade = (await memory.recall(summary.run))?.journal.upgrade;
  return upgrade === undefined ? rest : { ...rest, upgrade };
}

/** A run as it lies in the cluster: evidence, whoever wrote it. Rejects with `not-found`. */
export async function readRun(
  kube: Kube,
  journalNamespaces: JournalNamespaces,
  run: string,
): Promise<{ plan: Plan; journal: Journal }> {
  const found = await readJournal(kube, await namespaceOfRun(kube, journalNamespaces, run), run);
  if (!found) throw new KubeError('not-found', `There is no run ${JSON.stringify(run)} on this cluster.`);
  return { plan: found.plan, journal: found.journal };
}

export type ReadRun = { plan: Plan; journal: Journal; provenance: Provenance };

/** The same as a face shows it: whose word it is, and a foreign one without its own words. Rejects with `not-found`. */
export async function readRunWithProvenance(
  kube: Kube,
  journalNamespaces: JournalNamespaces,
  run: string,
  memory: RunMemory,
): Promise<ReadRun> {
  const opened = await openJournal(kube, await namespaceOfRun(kube, journalNamespaces, run), run, memory);
  if (!opened) throw new KubeError('not-found', `There is no run ${JSON.stringify(run)} on this cluster.`);
  const { plan, provenance } = opened;
  const journal = opened.current();
  if (provenance.kind === 'own') return { plan, journal, provenance };
  return { plan: inOwnWords(plan), journal: claimed(journal, { goal: plan.goal, cluster: kube.name }), provenance };
}
