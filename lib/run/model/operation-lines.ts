import type { Plan } from '#lib/plan/index.ts';
import type { OperationLine, RunEvent } from './event.ts';
import { isWantedPause } from './has-ended.ts';
import { type Journal, phaseOf } from './journal.ts';

/** The steps of a run with their states: done, under way, ahead, undone. */
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
  const writes = ({ targets, effect, act }: Plan['operations'][number]) =>
    // Steps of the administrator have no targets, but change something.
    targets.length > 0 || (effect !== 'none' && act.kind !== 'wait');
  const writing = new Set(plan.operations.filter(writes).map(({ seq }) => seq));
  return operationLines(plan, journal)
    .filter(({ state, seq }) => writing.has(seq) && (state === 'finished' || state === 'begun' || state === 'undoing'))
    .map((line) => `${line.id}: ${line.title}`);
}

/** `outcome` of a finished step: its effect was seen, stayed unknown, or was accepted without being seen. */
export type RunLine = OperationLine & {
  begunAt: string | null;
  finishedAt: string | null;
  note: string | null;
  outcome: Extract<RunEvent, { event: 'operation' }>['data']['outcome'];
};

/** The steps by the journal, with their times. An unwanted pause is where the run stopped. */
export function runLines(plan: Plan, journal: Journal): RunLine[] {
  const { state } = journal;
  return operationLines(plan, journal).map((line) => {
    const own = journal.entries.filter((entry) => 'seq' in entry && entry.seq === line.seq);
    const begun = own.findLast((entry) => entry.what === 'begun');
    const finished = own.findLast((entry) => entry.what === 'finished');
    const stoppedHere = state.kind === 'paused' && !isWantedPause(state.code) && state.seq === line.seq;
    // For an undone step the times are those of its undo, once that has begun.
    const isOver = finished !== undefined && begun !== undefined && finished.direction === begun.direction;
    return {
      ...line,
      state: stoppedHere && line.state !== 'undone' ? 'failed' : line.state,
      begunAt: begun?.at ?? null,
      finishedAt: isOver ? finished.at : null,
      // A note about the way forward no longer holds once the undo has begun.
      note: isOver && finished.what === 'finished' ? finished.note : null,
      outcome: isOver && finished.what === 'finished' ? finished.outcome : null,
    };
  });
}
