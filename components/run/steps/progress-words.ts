import { duration } from '#lib/base/words.ts';
import type { RunLine } from '#lib/console/wire.ts';

type Line = Pick<RunLine, 'state' | 'effect'>;

/**
 * How far a run is, the same on its page, in the list of runs and in its report: `4 of 9 done`; once its way back has begun `2 of 4 undone`, of the
 * steps that it had reached, and `4 undone` when that is over. What was done before it is not its own to undo, and what only looks at the cluster has nothing to undo. Pure.
 */
export function progressWords(lines: readonly Line[], run: { readonly kind: string }): string {
  const { count, of, word } = counts(lines);
  // Over: what is left goes with what was undone.
  return run.kind === 'undone' ? `${count} ${word}` : `${count} of ${of} ${word}`;
}

/** ` · about 3 m 22 s left` of a run that goes forward, by what its steps usually take; empty on the way back. Pure. */
export function timeLeft(
  lines: readonly Pick<RunLine, 'seq' | 'state'>[],
  usual: Readonly<Record<number, number>>,
): string {
  if (lines.some(({ state }) => state === 'undoing' || state === 'undone')) return '';
  const left = lines.filter(({ state }) => state === 'ahead' || state === 'begun' || state === 'failed');
  const seconds = left.reduce((sum, { seq }) => sum + (usual[seq] ?? 0), 0);
  return seconds === 0 ? '' : ` · about ${duration(seconds)} left`;
}

/** The same for a group of its steps, none of which is under way: in words where they are all alike. Pure. */
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
