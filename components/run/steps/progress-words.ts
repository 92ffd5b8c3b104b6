import { duration } from '#lib/base/words.ts';
import type { RunLine } from '#lib/console/wire.ts';

type Line = Pick<RunLine, 'state' | 'effect'>;

/**
 * The progress of a run, the same on its page, in the list of runs and in its report: `4 of 9 done`; during its undo `2 of 4 undone`, of the steps that it
 * had reached; afterwards `4 undone`. Steps that were done before the run, and steps that only read the cluster, are not undone and not counted. Pure.
 */
export function progressWords(lines: readonly Line[], run: { readonly kind: string }): string {
  const { count, of, word } = counts(lines);
  // After an undo there is nothing left to count towards.
  return run.kind === 'undone' ? `${count} ${word}` : `${count} of ${of} ${word}`;
}

/** ` · about 3 m 22 s left`, by the usual time of the steps ahead; empty during an undo. Pure. */
export function timeLeft(
  lines: readonly Pick<RunLine, 'seq' | 'state'>[],
  usual: Readonly<Record<number, number>>,
): string {
  if (lines.some(({ state }) => state === 'undoing' || state === 'undone')) return '';
  const left = lines.filter(({ state }) => state === 'ahead' || state === 'begun' || state === 'failed');
  const seconds = left.reduce((sum, { seq }) => sum + (usual[seq] ?? 0), 0);
  return seconds === 0 ? '' : ` · about ${duration(seconds)} left`;
}

/** The progress of a group of steps, none of which is under way: one word if all have the same state. Pure. */
export function groupProgressWords(lines: readonly Line[]): string {
  const { count, of, word } = counts(lines);
  if (count === of) return word;
  return lines.every(({ state }) => state === 'ahead') ? 'ahead' : `${count} of ${of} ${word}`;
}

function counts(lines: readonly Line[]): { count: number; of: number; word: 'done' | 'undone' } {
  const among = (...states: Line['state'][]) => lines.filter(({ state }) => states.includes(state));
  const back = among('undone', 'undoing').length;
  if (back === 0) return { count: among('finished', 'already-done').length, of: lines.length, word: 'done' };
  const stillThere = among('finished', 'begun', 'failed').filter(({ effect }) => effect !== 'none').length;
  return { count: among('undone').length, of: back + stillThere, word: 'undone' };
}
