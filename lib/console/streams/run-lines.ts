import type { Plan } from '#lib/plan/index.ts';
import { type Journal, operationLines } from '#lib/run/index.ts';
import type { RunLine } from '../wire.ts';

/** The track as the journal has it, with the times of each operation. A pause that nobody asked for is where the run stopped. */
export function runLines(plan: Plan, journal: Journal): RunLine[] {
  const { state } = journal;
  return operationLines(plan, journal).map((line) => {
    const own = journal.entries.filter((entry) => 'seq' in entry && entry.seq === line.seq);
    const begun = own.findLast((entry) => entry.what === 'begun');
    const finished = own.findLast((entry) => entry.what === 'finished');
    const stoppedHere = state.kind === 'paused' && state.code !== 'asked' && state.seq === line.seq;
    // Taken back: the times are those of the way back, once it has begun.
    const isOver = finished !== undefined && begun !== undefined && finished.direction === begun.direction;
    return {
      ...line,
      state: stoppedHere && line.state !== 'undone' ? 'failed' : line.state,
      begunAt: begun?.at ?? null,
      finishedAt: isOver ? finished.at : null,
      note: finished?.what === 'finished' ? finished.note : null,
      outcome: isOver && finished.what === 'finished' ? finished.outcome : null,
    };
  });
}
