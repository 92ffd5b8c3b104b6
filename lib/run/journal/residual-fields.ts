import { valueAt } from '#lib/base/records.ts';
import type { RecordedField } from '#lib/facts/index.ts';
import { isKubeError, type Kube } from '#lib/kube/index.ts';
import type { Plan, PlannedOperation } from '#lib/plan/index.ts';
import { type JournalNamespaces, journalNamespaces, objectId } from '#lib/spec/index.ts';
import { pathText } from '../acts/fields.ts';
import { hasEnded, type Journal, phaseOf } from '../model/journal.ts';
import { journalRef, readJournal } from './journal-store.ts';
import { listRuns } from './list-runs.ts';

/**
 * What ended runs say to have left behind, for `collectFacts` to hold against the objects: of each field what the latest run that touched it
 * says. Journals that may not be read, or are of another version, say nothing.
 */
export async function residualFieldsOfEndedRuns(
  kube: Kube,
  namespaces: JournalNamespaces = journalNamespaces,
): Promise<RecordedField[]> {
  const recorded: RecordedField[] = [];
  const decided = new Set<string>();
  try {
    for (const { run, state, namespace } of await listRuns(kube, namespaces)) {
      if (!hasEnded(state)) continue;
      const opened = await readJournal(kube, namespace, run).catch(passOver);
      if (!opened) continue;
      for (const { field, left } of temporaryFields(opened.plan, opened.journal, namespace)) {
        if (left && !decided.has(field)) recorded.push(left);
        decided.add(field);
      }
    }
  } catch (error) {
    passOver(error);
  }
  return recorded;
}

function passOver(error: unknown): null {
  if (isKubeError(error) && error.code !== 'aborted') return null;
  throw error;
}

type Field = { field: string; left: RecordedField | null };

/** Fields that this run set for its own duration (`until`), each with what it left there, or null where it set it back. Pure. */
function temporaryFields(plan: Plan, journal: Journal, namespace: string): Field[] {
  return plan.operations.flatMap((operation): Field[] => {
    const { done, until, undo, seq, status } = operation;
    const began = journal.entries.find(
      (entry) => entry.what === 'begun' && entry.direction === 'forward' && entry.seq === seq,
    );
    if (until === null || undo === null || done.kind !== 'fields' || status !== 'needed' || !began) return [];
    const object = objectId(done.target);
    return done.fields.map((expected): Field => {
      const field = `${object} ${pathText(expected.path)}`;
      if (wasSetBack(plan, journal, operation)) return { field, left: null };
      const { act } = undo;
      const before = act.kind === 'merge-patch' ? valueAt(act.body, expected.path) : undefined;
      return {
        field,
        left: {
          object,
          path: [...expected.path],
          value: 'equals' in expected ? expected.equals : null,
          before: before ?? null,
          run: journal.run,
          endedAt: journal.entries.at(-1)?.at ?? journal.startedAt,
          evidence: {
            object: objectId(journalRef(journal.run, namespace)),
            path: "data['journal.json']",
            value: `${operation.id} begun ${began.at}, not set back; the run is ${journal.state.kind}`,
          },
        },
      };
    });
  });
}

/** The way back takes a restored flag away first, and restores it last. */
function wasSetBack(plan: Plan, journal: Journal, { seq, until }: PlannedOperation): boolean {
  if (phaseOf(journal, { direction: 'undo', seq }) === 'finished') return true;
  const restore = plan.operations.find((one) => one.id === until && one.status === 'needed');
  if (!restore) return false;
  const isTakenBack = phaseOf(journal, { direction: 'undo', seq: restore.seq }) !== 'ahead';
  return !isTakenBack && phaseOf(journal, { direction: 'forward', seq: restore.seq }) === 'finished';
}
