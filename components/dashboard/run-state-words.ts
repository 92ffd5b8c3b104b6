import { pauseMark } from '#components/run/run-words.ts';
import type { State } from '#components/ui/state-mark.tsx';
import type { RunSummary, ShownRun } from '#lib/run/index.ts';
import { wayInWords } from '#lib/run/model/run-goal.ts';

/** A run's state in words, for lists and the dashboard. `isOpen`: it must end before anything else starts. */
export type RunStateWords = { state: State; sentence: string; isOpen: boolean };

const goals: ReadonlyMap<string, string> = new Map([
  ['enable', 'Enable eBPF'],
  ['install', 'Install'],
  ['upgrade', 'Upgrade'],
  ['restore', 'Restore kube-proxy'],
  ['flow-logs', 'Flow logs'],
  ['policy', 'Make a policy'],
]);

export function goalName(run: Pick<RunSummary, 'goal' | 'upgrade'>): string {
  const way = wayInWords(run);
  return way === null ? (goals.get(run.goal) ?? 'The run') : `Upgrade ${way}`;
}

type DescribedRun = Pick<ShownRun, 'goal' | 'upgrade' | 'state' | 'unverified' | 'foreign'>;

/** The state of a foreign run is marked as a claim. */
export function runStateWords(run: DescribedRun): RunStateWords {
  if (run.foreign === null) return wordsOf(run);
  const { sentence, isOpen } = wordsOf({ ...run, unverified: 0 });
  return { state: 'unknown', sentence: `${sentence}, not verified`, isOpen };
}

function wordsOf({ state, unverified, ...run }: Omit<DescribedRun, 'foreign'>): RunStateWords {
  const name = goalName(run);
  switch (state.kind) {
    case 'running':
      return state.direction === 'undo'
        ? { state: 'now', sentence: `${name} is being undone`, isOpen: true }
        : { state: 'now', sentence: `${name} is under way`, isOpen: true };
    case 'paused':
      return { state: pauseMark(state.code), sentence: `${name} is paused`, isOpen: true };
    case 'done':
      return unverified === 0
        ? { state: 'ok', sentence: `${name} is done`, isOpen: false }
        : { state: 'unknown', sentence: `${name} is done, ${unverified} not verified`, isOpen: false };
    case 'undone':
      return { state: 'idle', sentence: `${name} was undone`, isOpen: false };
    case 'stopped':
      return { state: 'warn', sentence: `${name} was ended where it stood`, isOpen: false };
    case 'failed':
      return { state: 'bad', sentence: `${name} failed`, isOpen: false };
    case 'unreadable':
      return state.ended
        ? { state: 'idle', sentence: `${name}, by another version, has ended`, isOpen: false }
        : { state: 'unknown', sentence: `${name}, by another version, may not have ended`, isOpen: true };
  }
}
