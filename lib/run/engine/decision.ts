import type { Subject } from '#lib/facts/index.ts';
import type { KubeError } from '#lib/kube/index.ts';
import type { Condition, Plan, PlannedOperation } from '#lib/plan/index.ts';
import type { Progress } from '../conditions/progress.ts';
import type { Journal, PauseChoice } from '../model/journal.ts';
import type { Step } from '../model/steps.ts';
import type { OpenGap } from '../services/services.ts';
import type { LastingFault } from './lasting-faults.ts';
import type { Request } from './requests.ts';

/**
 * Everything that a decision depends on beside the last observation. A process that is killed at any point is followed by one that reads the same and
 * goes on.
 */
export type JournalState = { plan: Plan; journal: Journal };

/** Keeps the run from going on: a request, or a reason why this process may not carry it any longer. */
export type Call =
  /** `by`: the process that made the request; absent if unknown. */
  | { kind: 'asked'; action: Request['action']; by?: string }
  | { kind: 'lease-lost' }
  /** Renewing the Lease is refused for lack of rights. Nobody may act without it, and waiting grants no right. */
  | { kind: 'lease-refused'; code: string; message: string }
  /** SIGTERM. */
  | { kind: 'interrupted' };

/** The last observation. */
export type Observation =
  /** The run began, was taken up again, or has finished a step. */
  | { saw: 'nothing' }
  | { saw: 'turned-back' }
  | { saw: 'call'; call: Call | null }
  /** The effect of a step that an earlier process had begun. */
  | { saw: 'effect'; progress: Progress }
  /** Fields that have changed since the plan was made. */
  | { saw: 'changes'; changes: Subject[] }
  /** The journal records that this process began the step, or has carried out its act. */
  | { saw: 'begun' }
  | { saw: 'acted' }
  | { saw: 'act-failed'; error: unknown }
  | { saw: 'file-missing'; because: string }
  /** One look while waiting for `done`. `silentSeconds`: how long nothing has moved that only the operator moves; null while something does. */
  | {
      saw: 'progress';
      done: Condition;
      progress: Progress;
      unknownSeconds: number;
      waitedSeconds: number;
      silentSeconds: number | null;
      fault: LastingFault | null;
    }
  /** Tools whose marks are on objects that this run has written. */
  | { saw: 'reconcilers'; subjects: Subject[] }
  /** A Service that has not answered for longer than a step may interrupt it. */
  | { saw: 'gap'; gap: OpenGap }
  /** An error that repeating does not fix. */
  | { saw: 'failure'; error: unknown; call: Call | null }
  | { saw: 'pause-unwritten'; error: unknown };

export type Pause = {
  do: 'pause';
  step: Step;
  code: string;
  because: string;
  /** Who requested the pause, if it was requested. */
  by?: string;
  /** What is half done and what that means for the cluster. */
  meaning: string;
  subjects: Subject[];
  choices: PauseChoice[];
};

/** What the run does next. */
export type Next =
  /** Look for a request. */
  | { do: 'listen' }
  | { do: 'look'; step: Step }
  | { do: 'compare'; step: Step; begun: boolean }
  | { do: 'begin'; step: Step }
  | { do: 'act'; step: Step }
  | { do: 'retry'; error: KubeError }
  | { do: 'wait'; step: Step }
  | { do: 'keep-waiting'; awaiting: string; heldUpBy: Subject[]; nudge: PlannedOperation['nudge'] }
  | { do: 'finish'; step: Step; outcome: 'met' | 'unknown' | 'acknowledged'; note: string | null }
  | Pause
  /** The pause cannot be written: the journal still says that the run is running. */
  | { do: 'pause-unwritten'; code: string; because: string }
  | { do: 'turn-back' }
  | { do: 'stop'; step: Step }
  | { do: 'end'; as: 'done' | 'undone' }
  | { do: 'leave'; outcome: { kind: 'interrupted' } | { kind: 'lost'; because: string } }
  | { do: 'throw'; error: unknown };
