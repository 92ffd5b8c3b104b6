import { sentence } from '#lib/base/words.ts';
import { type LeaseHolder, type RunSummary, runGoal, type ShownRun } from '#lib/run/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * The state of a run in words. A foreign journal is marked as a claim, and an ended run has its number of unverified steps. `holder`: null if it could not be
 * read.
 */
export function shownRunWords(run: ShownRun, holder: LeaseHolder | null): string {
  const { state, doubts } = stateOf(run, holder);
  return [state, ...doubts.map(({ joint, words }) => `${joint} ${words}`)].join('');
}

/**
 * A run in a list: `cells` has its name, goal, state and start, `about` what is left to say about its state. On a terminal state and start are short, so that
 * a row fits into 80 columns: doubts about the state are in `about`, and the time is in minutes. In a pipe both are whole, and `about` is empty.
 */
export function runInList(
  run: ShownRun,
  holder: LeaseHolder | null,
  { isTerminal }: Pick<Terminal, 'isTerminal'>,
): { cells: readonly string[]; about: string } {
  // Anybody may write a journal, and line feeds in it would look like rows.
  const name = visibleLine(run.run);
  const goal = visibleLine(runGoal(run));
  const startedAt = visibleLine(run.startedAt);
  if (!isTerminal) return { cells: [name, goal, shownRunWords(run, holder), startedAt], about: '' };
  const { state, doubts } = stateOf(run, holder);
  return {
    cells: [name, goal, state, startedAt.replace(secondsOfTime, 'Z')],
    about: doubts.map(({ words }) => sentence(words)).join(' '),
  };
}

const secondsOfTime = /(?<=T\d\d:\d\d):\d\d(?:\.\d+)?Z$/;

type Doubt = { joint: ',' | ', but'; words: string };

function stateOf(run: ShownRun, holder: LeaseHolder | null): { state: string; doubts: readonly Doubt[] } {
  const { foreign, state, unverified } = run;
  const isOver = state.kind === 'done' || state.kind === 'undone';
  const doubts: (Doubt | null)[] = [
    state.kind === 'running' ? doubtOfProcess(holder) : null,
    foreign !== null
      ? { joint: ',', words: 'not verified' }
      : isOver && unverified > 0
        ? { joint: ',', words: `${unverified} not verified` }
        : null,
  ];
  return { state: stateWords(run), doubts: doubts.filter((one) => one !== null) };
}

/** A run's state with its direction. */
function stateWords({ state }: RunSummary): string {
  if (state.kind === 'paused') return state.direction === 'undo' ? 'paused on the way back' : 'paused';
  if (state.kind !== 'running') return state.kind;
  return state.direction === 'undo' ? 'being undone' : 'running';
}

function doubtOfProcess(holder: LeaseHolder | null): Doubt | null {
  if (holder === null) return { joint: ',', words: 'its process not verified' };
  return holder.alive ? null : { joint: ', but', words: 'no process executes it: resume it' };
}
