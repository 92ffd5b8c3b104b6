import type { Plan, UndoStep } from './plan.ts';
import { type PlannedOperation, type Undo, undoPhases } from './schema/planned-operation.ts';

/**
 * The steps that undo a run, first step first (operations.md › Journeys, 4). A step that was begun and not finished is undone too, because its
 * progress is unknown. What was done already when the plan was made is not ours to undo.
 */
export function planUndo(plan: Plan, finished: readonly number[], begun: number | null): UndoStep[] {
  const ours = (operation: PlannedOperation) => operation.status === 'needed';
  const reached = plan.operations.filter(
    (operation) => ours(operation) && (finished.includes(operation.seq) || operation.seq === begun),
  );
  const pulled = new Set(reached.flatMap(({ undo }) => undo?.pulls ?? []));
  return plan.operations
    .filter((operation) => reached.includes(operation) || pulled.has(operation.id))
    .flatMap((operation) => (operation.undo === null ? [] : [{ operation, undo: operation.undo }]))
    .sort(
      (left, right) =>
        undoPhases.indexOf(left.undo.phase) - undoPhases.indexOf(right.undo.phase) ||
        right.operation.seq - left.operation.seq,
    )
    .map(stepOf);
}

function stepOf({ operation, undo }: { operation: PlannedOperation; undo: Undo }): UndoStep {
  const { title, act, done, command, usualSeconds, deadlineSeconds } = undo;
  const { seq, id, effect } = operation;
  return { undoes: seq, id, title, effect, act, done, command, usualSeconds, deadlineSeconds };
}
