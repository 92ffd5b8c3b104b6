import type { State } from '#components/ui/state-mark.tsx';
import { goalWords } from '#lib/console/wizard/goal-words.ts';
import type { RunSummary } from '#lib/run/index.ts';
import { isWantedPause } from '#lib/run/model/has-ended.ts';
import { wayInWords } from '#lib/run/model/run-goal.ts';
import type { Goal } from '#lib/spec/index.ts';

type AnyState = RunSummary['state'];

/** What a run does, up to the name of its cluster. Anybody may write a goal into a journal: one that is none is in no title. */
function titleOf(goal: string): string {
  if (!Object.hasOwn(goalWords, goal)) return 'Run on';
  return `${goalWords[goal as Goal]} ${goal === 'flow-logs' ? 'for' : 'on'}`;
}

/** The state that a pause is shown with: a requested pause is no problem, and a doubt is no failure. */
export function pauseMark(code: string): State {
  return isWantedPause(code) ? 'warn' : code === 'unknown' ? 'unknown' : 'bad';
}

/** `Enable eBPF on prod-eu-1`, `Undo: enable eBPF on prod-eu-1`, `Upgrade v3.30.7 → v3.31.4 (2 hops) on prod-eu-1`. */
export function runTitle(
  run: Pick<RunSummary, 'goal' | 'upgrade'>,
  cluster: string,
  direction: 'forward' | 'undo' = 'forward',
): string {
  const way = wayInWords(run);
  const title = way === null ? titleOf(run.goal) : `Upgrade ${way} on`;
  if (direction === 'forward') return `${title} ${cluster}`;
  return run.goal === 'install' ? `Uninstall Calico from ${cluster}` : `Undo: ${uncapital(title)} ${cluster}`;
}

/** `Report: Enable eBPF on prod-eu-1`, `Report of the undo: Enable eBPF on prod-eu-1`. Only one colon. */
export function reportTitle(report: Pick<RunSummary, 'goal' | 'upgrade' | 'direction'> & { cluster: string }): string {
  const { direction, goal } = report;
  const isUndo = direction === 'undo' && goal !== 'install';
  const what = runTitle(report, report.cluster, isUndo ? 'forward' : direction);
  return `Report${isUndo ? ' of the undo' : ''}: ${what}`;
}

function uncapital(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}

/**
 * The words for a run's state, the same in lists, page and report. `carried`: whether a process carries runs on this cluster; it matters only for a
 * running run. `unverified`: number of steps whose effect was not verified; a run with any must not look fine.
 */
export function runStateWords(
  state: AnyState,
  carried: 'carried' | 'abandoned',
  unverified: number,
): { state: State; word: string } {
  const over = (fine: State, word: string): { state: State; word: string } =>
    unverified === 0 ? { state: fine, word } : { state: 'unknown', word: `${word}, ${unverified} not verified` };
  switch (state.kind) {
    case 'running':
      if (carried === 'abandoned') return { state: 'warn', word: 'no process runs it' };
      return { state: 'now', word: state.direction === 'undo' ? 'being undone' : 'running' };
    case 'paused':
      return {
        state: pauseMark(state.code),
        word: state.direction === 'undo' ? 'paused on the way back' : 'paused',
      };
    case 'done':
      return over('ok', 'done');
    case 'undone':
      return over('idle', 'undone');
    case 'stopped':
      return { state: 'warn', word: 'stopped' };
    case 'failed':
      return { state: 'bad', word: 'failed' };
    case 'unreadable':
      return { state: 'unknown', word: state.ended ? 'ended; of another version' : 'of another version' };
  }
}

/** Who paused the run: the user at this console, or another process. Journals from before 0.2 do not say. */
export function pausedWords(by: string | undefined, us: string): string {
  if (by === undefined) return 'Paused on request';
  return by === us ? 'Paused from this console' : `Paused by ${holderWords(by)}`;
}

/** `Signalbox 3f9c12ab, process 4211`, from `<install id>/<pid>@<start>@<machine>`. */
export function holderWords(holder: string): string {
  const [install = '', process = ''] = holder.split('/');
  const pid = process.split('@')[0];
  return `Signalbox ${install.slice(0, 8)}${pid ? `, process ${pid}` : ''}`;
}

export function shortHash(hash: string): string {
  return hash.replace(/^sha256:/, '').slice(0, 12);
}
