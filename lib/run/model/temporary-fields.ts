import { valueAt } from '#lib/base/records.ts';
import type { RecordedField } from '#lib/facts/index.ts';
import type { Plan, PlannedOperation } from '#lib/plan/index.ts';
import { objectId } from '#lib/spec/index.ts';
import { type Journal, phaseOf } from './journal.ts';
import { journalRef } from './read-journal.ts';

/** `left`: the value that ended runs left; null if they restored it. */
type TemporaryField = { field: string; left: RecordedField | null };

/** Fields that this run sets only for its duration (`until`), each with the value that it left, or null if it restored it. Pure. */
export function temporaryFields(plan: Plan, journal: Journal, namespace: string): TemporaryField[] {
  return plan.operations.flatMap((operation): TemporaryField[] => {
    const { done, until, undo, seq, status } = operation;
    const began = journal.entries.find(
      (entry) => entry.what === 'begun' && entry.direction === 'forward' && entry.seq === seq,
    );
    if (until === null || undo === null || done.kind !== 'fields' || status !== 'needed' || !began) return [];
    const object = objectId(done.target);
    return done.fields.map((expected): TemporaryField => {
      const field = `${object} ${JSON.stringify(expected.path)}`;
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

/** An undo first removes the restored flag, and restores it last. */
function wasSetBack(plan: Plan, journal: Journal, { seq, until }: PlannedOperation): boolean {
  if (phaseOf(journal, { direction: 'undo', seq }) === 'finished') return true;
  const restore = plan.operations.find((one) => one.id === until && one.status === 'needed');
  if (!restore) return false;
  const isTakenBack = phaseOf(journal, { direction: 'undo', seq: restore.seq }) !== 'ahead';
  return !isTakenBack && phaseOf(journal, { direction: 'forward', seq: restore.seq }) === 'finished';
}
