import { type Kube, KubeError, type KubeObject } from '#lib/kube/index.ts';
import { inOwnWords, type Plan } from '#lib/plan/index.ts';
import { type JournalNamespaces, names, resources } from '#lib/spec/index.ts';
import { provenanceOfJournal } from '../memory/provenance-of.ts';
import type { RunMemory } from '../memory/run-memory.ts';
import type { Journal } from '../model/journal.ts';
import { foreignBecause, type Provenance } from '../model/provenance.ts';
import { journalOf, journalRef } from '../model/read-journal.ts';
import { mergedRuns, type RunSummary, runSummaryOf, type ShownRun } from '../model/run-summary.ts';
import { claimed } from './claimed.ts';
import { openJournal, readJournal } from './journal-store.ts';
import { namespaceOfRun } from './namespace-of-run.ts';

/** Newest first. A journal that this version cannot read is listed too: its run may not have ended. */
export async function listRuns(kube: Kube, journalNamespaces: JournalNamespaces): Promise<RunSummary[]> {
  return mergedRuns(await readRuns(kube, journalNamespaces, async (object) => runSummaryOf(object)));
}

/**
 * All runs for a face, each marked as ours or foreign, because anybody may write a journal. A foreign run lacks the releases of its upgrade.
 * `remembered` is called only if there is a run.
 */
export async function listRunsToShow(
  kube: Kube,
  journalNamespaces: JournalNamespaces,
  remembered: () => Promise<Pick<RunMemory, 'recall' | 'sealer'>>,
): Promise<ShownRun[]> {
  let memory: ReturnType<typeof remembered> | undefined;
  return mergedRuns(
    await readRuns(kube, journalNamespaces, async (object) => {
      memory ??= remembered();
      return runToShow(kube, object, await memory);
    }),
  );
}

async function readRuns<Run>(
  kube: Kube,
  journalNamespaces: JournalNamespaces,
  read: (object: KubeObject) => Promise<Run>,
): Promise<Run[][]> {
  const found: Run[][] = [];
  for (const namespace of journalNamespaces) {
    const runs: Run[] = [];
    for await (const page of kube.list(resources.configMaps, { namespace, labelSelector: names.runLabel }))
      runs.push(...(await Promise.all(page.items.map(read))));
    found.push(runs);
  }
  return found;
}

/** A run that a watch reported, for faces. Without its ConfigMap it is read again; if the cluster does not answer, it counts as foreign. */
export async function seenRunToShow(
  kube: Kube,
  { configMap, ...seen }: RunSummary & { readonly configMap: KubeObject | null },
  memory: Pick<RunMemory, 'recall' | 'sealer'>,
): Promise<ShownRun> {
  const object = configMap ?? (await kube.get(journalRef(seen.run, seen.namespace)).catch(() => null));
  if (object !== null) return runToShow(kube, object, memory);
  const { upgrade: _, ...summary } = seen;
  return { ...summary, foreign: foreignBecause('not-sealed') };
}

/** One run, by its ConfigMap. If the cluster does not answer, the earlier reading stands. */
async function runToShow(
  kube: Kube,
  object: KubeObject,
  { recall, sealer }: Pick<RunMemory, 'recall' | 'sealer'>,
): Promise<ShownRun> {
  const journal = journalOf(object);
  const { upgrade, ...summary } = runSummaryOf(object, journal);
  // No version of ours has sealed a journal that cannot be read.
  if (journal === null) return { ...summary, foreign: foreignBecause('not-sealed') };
  const copy = await recall(summary.run);
  let provenance = provenanceOfJournal(sealer, copy, journal);
  // The copy may be newer than the list.
  if (provenance.kind === 'foreign' && provenance.because === 'older') {
    const now = await kube.get(journalRef(summary.run, summary.namespace)).catch(() => null);
    const later = now && journalOf(now);
    if (later) provenance = provenanceOfJournal(sealer, copy, later);
  }
  if (provenance.kind === 'foreign') return { ...summary, foreign: foreignBecause(provenance.because) };
  return { ...summary, ...(upgrade === undefined ? {} : { upgrade }), foreign: null };
}

/** A run as it is in the cluster: evidence, whoever wrote it. Rejects with `not-found`. */
export async function readRun(
  kube: Kube,
  journalNamespaces: JournalNamespaces,
  run: string,
): Promise<{ plan: Plan; journal: Journal }> {
  const found = await readJournal(kube, await namespaceOfRun(kube, journalNamespaces, run), run);
  if (!found) throw noSuchRun(run);
  return { plan: found.plan, journal: found.journal };
}

export type ReadRun = { plan: Plan; journal: Journal; provenance: Provenance };

/** One run for a face, marked as ours or foreign. A foreign run is without texts of its own. Rejects with `not-found`. */
export async function readRunWithProvenance(
  kube: Kube,
  journalNamespaces: JournalNamespaces,
  run: string,
  memory: RunMemory,
): Promise<ReadRun> {
  const opened = await openJournal(kube, await namespaceOfRun(kube, journalNamespaces, run), run, memory);
  if (!opened) throw noSuchRun(run);
  const { plan, provenance } = opened;
  const journal = opened.current();
  if (provenance.kind === 'own') return { plan, journal, provenance };
  return { plan: inOwnWords(plan), journal: claimed(journal, { goal: plan.goal, cluster: kube.name }), provenance };
}

/** The error for a run that has no journal on the cluster. */
export function noSuchRun(run: string): KubeError {
  return new KubeError('not-found', `There is no run ${JSON.stringify(run)} on this cluster.`);
}
