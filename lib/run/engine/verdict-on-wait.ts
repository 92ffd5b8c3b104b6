import { counted, withoutStop } from '#lib/base/words.ts';
import type { Subject } from '#lib/facts/index.ts';
import type { Progress } from '../conditions/progress.ts';
import type { PauseChoice } from '../model/journal.ts';
import type { Step } from '../model/steps.ts';
import type { LastingFault } from './lasting-faults.ts';

/** What one look at a condition means for the run. */
export type WaitVerdict =
  | { kind: 'finish'; outcome: 'met' | 'unknown' | 'acknowledged'; note: string | null }
  | { kind: 'pause'; code: string; because: string; subjects: Subject[]; choices: PauseChoice[] }
  | { kind: 'wait'; awaiting: string; heldUpBy: Subject[] };

/** How long an *unknown* must last before it pauses a run: an agent that restarts has no log for a moment. */
const unknownForSeconds = 20;

export type Waited = {
  /** The recorded reason, if the doubt of this step was accepted. */
  accepted: string | null;
  /** How long the same subject has been unknown without a break, and how long this process has waited. */
  unknownSeconds: number;
  waitedSeconds: number;
  /** A fault that waiting does not fix. Null also after it paused the run and the user chose to keep waiting. */
  fault: LastingFault | null;
};

/** operations.md › Waits: a refusal pauses at once, an unknown only when it lasts, and a deadline never undoes anything. Pure. */
export function verdictOnWait(
  progress: Progress,
  step: Pick<Step, 'title' | 'act' | 'deadlineSeconds'>,
  waited: Waited,
): WaitVerdict {
  switch (progress.kind) {
    case 'met':
      return { kind: 'finish', outcome: 'met', note: progress.note ?? null };
    case 'failed':
      return {
        kind: 'pause',
        code: progress.code,
        because: progress.because,
        subjects: progress.subjects,
        choices: ['undo', 'keep-waiting', 'stop'],
      };
    case 'waiting':
      if (waited.fault) return lastingFault(step, waited.fault);
      return onTime(step, waited, progress.awaiting, progress.heldUpBy);
    case 'unknown':
      return verdictOnUnknown(progress, step, waited);
  }
}

function lastingFault({ title }: Pick<Step, 'title'>, { code, subject, attempts, seconds }: LastingFault): WaitVerdict {
  const tries = attempts === null ? '' : `, ${counted(attempts, 'attempt')}`;
  return {
    kind: 'pause',
    code,
    because: `${title} makes no progress: ${subject.kind} ${subject.name}: ${subject.detail}. It has been like this for ${Math.round(seconds)} s${tries}; waiting alone does not fix it.`,
    subjects: [subject],
    choices: ['undo', 'keep-waiting', 'stop'],
  };
}

function verdictOnUnknown(
  progress: Extract<Progress, { kind: 'unknown' }>,
  step: Pick<Step, 'title' | 'act' | 'deadlineSeconds'>,
  waited: Waited,
): WaitVerdict {
  const { because, subjects, settleSeconds } = progress;
  if (waited.accepted !== null)
    return { kind: 'finish', outcome: 'acknowledged', note: `${because} Accepted: ${waited.accepted}` };
  // A verification changes nothing and no later step depends on it, so its doubt is recorded and the run goes on.
  if (step.act.kind === 'verify') return { kind: 'finish', outcome: 'unknown', note: because };
  if (settleSeconds !== undefined) {
    if (waited.unknownSeconds >= settleSeconds)
      return {
        kind: 'finish',
        outcome: 'unknown',
        note: `${because} ${Math.round(settleSeconds)} s passed instead.`,
      };
    return onTime(step, waited, `${Math.round(settleSeconds)} s to pass: ${because}`, subjects);
  }
  if (waited.unknownSeconds >= unknownForSeconds)
    return {
      kind: 'pause',
      code: 'unknown',
      because,
      subjects,
      choices: ['acknowledge', 'keep-waiting', 'undo', 'stop'],
    };
  return onTime(step, waited, `an answer. ${withoutStop(because)}`, subjects);
}

function onTime(
  step: Pick<Step, 'title' | 'deadlineSeconds'>,
  { waitedSeconds }: Waited,
  awaiting: string,
  heldUpBy: Subject[],
): WaitVerdict {
  if (waitedSeconds <= step.deadlineSeconds) return { kind: 'wait', awaiting, heldUpBy };
  return {
    kind: 'pause',
    code: 'deadline',
    because: `${step.title} has taken longer than ${Math.round(step.deadlineSeconds)} s. It waits for ${awaiting}.`,
    subjects: heldUpBy,
    choices: ['keep-waiting', 'undo', 'stop'],
  };
}
