import type { Plan } from '#lib/plan/index.ts';
import type { OperationLine } from './event.ts';
import { type Journal, phaseOf } from './journal.ts';

/** The run as a line of signals: what is behind, at the train, ahead, and taken back. */
export function operationLines(plan: Plan, journal: Journal): OperationLine[] {
  return plan.operations.map((operation) => ({
    seq: operation.seq,
    id: operation.id,
    title: operation.title,
    effect: operation.effect,
    state: lineState(
      operation.status,
      phaseOf(journal, { direction: 'forward', seq: operation.seq }),
      phaseOf(journal, { direction: 'undo', seq: operation.seq }),
    ),
  }));
}

function lineState(
  status: 'needed' | 'already-done',
  forward: ReturnType<typeof phaseOf>,
  undo: ReturnType<typeof phaseOf>,
): OperationLine['state'] {
  if (undo === 'finished') return 'undone';
  if (undo !== 'ahead') return 'undoing';
  if (status === 'already-done') return 'already-done';
  return forward === 'ahead' ? 'ahead' : forward === 'finished' ? 'finished' : 'begun';
}

/** What a stopped run leaves on the cluster, for its report. Steps that write nothing leave nothing. */
export function remainsOf(plan: Plan, journal: Journal): string[] {
  return operationLines(plan, journal)
    .filter(
      ({ state, effect }) => effect !== 'none' && (state === 'finished' || state === 'begun' || state === 'undoing'),
    )
    .map((line) => `${line.id}: ${line.title}`);
}
