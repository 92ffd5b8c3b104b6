import type { Subject } from '#lib/facts/index.ts';
import { whenPaused } from '#lib/plan/index.ts';
import type { PauseChoice, RunState } from '../model/journal.ts';
import type { Step } from '../model/steps.ts';
import type { Pause } from './decision.ts';

const anyWay: PauseChoice[] = ['resume', 'undo', 'stop'];

/** Builds a pause. Undo is no choice on the way back. */
export function pause(
  step: Step,
  { code, because, by, meaning, subjects = [], choices = anyWay }: Pick<Pause, 'code' | 'because'> & Partial<Pause>,
): Pause {
  const { direction } = step.key;
  return {
    do: 'pause',
    step,
    code,
    because,
    ...(by === undefined ? {} : { by }),
    meaning: meaning ?? whenPaused(step.goal, step.id, direction),
    subjects,
    choices: direction === 'undo' ? choices.filter((choice) => choice !== 'undo') : choices,
  };
}

/** A pause in the form that the journal stores. */
export function pausedState({
  step,
  code,
  because,
  by,
  meaning,
  subjects,
  choices,
}: Pause): Extract<RunState, { kind: 'paused' }> {
  return {
    kind: 'paused',
    ...step.key,
    id: step.id,
    code,
    because: because.slice(0, 2000),
    ...(by === undefined ? {} : { by }),
    meaning,
    subjects: subjects.slice(0, mostSubjects).map(shortened),
    choices,
  };
}

/** The journal stores a pause in the same object as everything else; this limit keeps a large cluster from filling it. */
const mostSubjects = 500;

function shortened(subject: Subject): Subject {
  return subject.detail.length <= 200 ? subject : { ...subject, detail: `${subject.detail.slice(0, 200)} …` };
}
