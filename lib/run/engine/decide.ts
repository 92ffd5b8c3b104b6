import type { Subject } from '#lib/facts/index.ts';
import { isKubeError, type KubeError } from '#lib/kube/index.ts';
import { type Condition, type PlannedOperation, stationsOf } from '#lib/plan/index.ts';
import { allowedGapMs, serviceTitle } from '#lib/spec/index.ts';
import { JournalGone, JournalTaken } from '../journal/journal-store.ts';
import { plannedPause } from '../model/has-ended.ts';
import { wasNudged, wasPausedBecause, wasPausedFor } from '../model/history.ts';
import { acceptedReason, directionOf, phaseOf } from '../model/journal.ts';
import { nextStep, type Step, sameDone } from '../model/steps.ts';
import type { OpenGap } from '../services/services.ts';
import { gapLength } from '../services/services-in-words.ts';
import { isPassing } from './api-retry.ts';
import type { Call, JournalState, Next, Observation, Pause } from './decision.ts';
import { pause } from './pause.ts';
import type { Request } from './requests.ts';
import { verdictOnWait } from './verdict-on-wait.ts';

const lost = { kind: 'lost', because: 'another process holds the Lease' } as const;

/**
 * Journal state × observation → what to do next (operations.md › The journal and recovery; Waits). Pure. A step goes listen, compare, begin, act,
 * wait, finish. A step that an earlier process had begun is looked at first; one whose act was carried out is only awaited.
 */
export function decide(state: JournalState, observation: Observation): Next {
  const step = nextStep(state.plan, state.journal);
  if (observation.saw === 'failure') return onFailure(step, observation);
  if (observation.saw === 'pause-unwritten') return onUnwrittenPause(observation.error);
  if (observation.saw === 'nothing' || observation.saw === 'turned-back') return { do: 'listen' };
  if (!step) return withoutStep(state, observation);
  switch (observation.saw) {
    case 'call':
      return observation.call === null
        ? (atStation(state, step) ?? fromPhase(state, step))
        : onCall(state, step, observation.call);
    case 'effect': {
      const { progress } = observation;
      if (progress.kind !== 'met') return { do: 'compare', step, begun: true };
      return { do: 'finish', step, outcome: 'met', note: 'its effect was already there when the run continued' };
    }
    case 'changes':
      if (observation.changes.length > 0) return changedPause(step, observation.changes);
      return { do: phaseOf(state.journal, step.key) === 'ahead' ? 'begin' : 'act', step };
    case 'begun':
      return { do: 'act', step };
    case 'acted':
      return { do: 'wait', step };
    case 'act-failed':
      return onFailedAct(step, observation.error);
    case 'file-missing':
      return pause(step, { code: 'release.missing', because: `${step.title}: ${observation.because}` });
    case 'progress':
      return onProgress(state, step, observation);
    case 'reconcilers':
      return onReconcilers(state, step, observation.subjects);
    case 'gap':
      return onGap(state, step, observation.gap);
  }
}

/** The journal's answer to a request of another process. `taken`: the run does what was requested. */
export function answerTo(
  { plan, journal }: JournalState,
  action: Request['action'],
): { taken: boolean; answer: string } {
  const isOver = nextStep(plan, journal) === undefined;
  const taken = isOver ? action === 'undo' : action !== 'resume';
  return { taken, answer: taken ? 'taken' : isOver ? 'the run has ended' : 'the run is already in progress' };
}

/** No step is left. An undo that was requested during the wait for the last step is still carried out: the journal has answered the request so. */
function withoutStep({ journal }: JournalState, observation: Observation): Next {
  const direction = directionOf(journal);
  const call = observation.saw === 'call' ? observation.call : null;
  if (call?.kind === 'asked' && call.action === 'undo' && direction === 'forward') return { do: 'turn-back' };
  return { do: 'end', as: direction === 'undo' ? 'undone' : 'done' };
}

function fromPhase({ journal }: JournalState, step: Step): Next {
  const phase = phaseOf(journal, step.key);
  if (phase === 'acted') return { do: 'wait', step };
  return phase === 'begun' && showsItsEffect(step)
    ? { do: 'look', step }
    : { do: 'compare', step, begun: phase === 'begun' };
}

/** Pauses once at each station where the plan asks for it, and never on the way back. */
function atStation({ plan, journal }: JournalState, step: Step): Pause | null {
  const { direction, seq } = step.key;
  const station = direction === 'forward' ? stationsOf(plan).find(({ before }) => before === seq) : undefined;
  if (!station || phaseOf(journal, step.key) !== 'ahead') return null;
  const because = `Every node runs ${station.version}, where the plan asked for a pause.`;
  if (wasPausedBecause(journal, because)) return null;
  return pause(step, {
    code: plannedPause,
    because,
    meaning: `The upgrade to ${station.version} is complete, and nothing of the next release is written yet. Resume continues; stop leaves the cluster at ${station.version}.`,
  });
}

/**
 * False for files: definitions of an earlier release are established too, so nothing shows that this file was applied. Applying it once more changes
 * nothing.
 */
function showsItsEffect({ act }: Step): boolean {
  return act.kind !== 'apply-manifest';
}

function onCall({ journal }: JournalState, step: Step, call: Call): Next {
  switch (call.kind) {
    case 'lease-lost':
      return { do: 'leave', outcome: lost };
    case 'interrupted':
      return { do: 'leave', outcome: { kind: 'interrupted' } };
    case 'lease-refused':
      return pause(step, {
        code: `lease.${call.code}`,
        because: `The Lease of this run cannot be renewed: ${call.message}`,
      });
    case 'asked':
      break;
  }
  switch (call.action) {
    case 'resume':
      return { do: 'listen' };
    case 'undo':
      return { do: directionOf(journal) === 'undo' ? 'listen' : 'turn-back' };
    case 'stop':
      return { do: 'stop', step };
    case 'pause':
      return pause(step, {
        code: 'asked',
        because: 'A pause was requested.',
        ...(call.by === undefined ? {} : { by: call.by }),
      });
  }
}

function onFailedAct(step: Step, error: unknown): Next {
  // A write whose answer was lost may have happened, so the next attempt reads before it writes again.
  if (isPassing(error) || isOvertaken(error)) return { do: 'retry', error };
  // `aborted` is SIGTERM or a lost Lease: the next process goes on and the user need not decide anything.
  if (!isKubeError(error) || isKubeError(error, 'unauthorized', 'credentials', 'aborted'))
    return { do: 'throw', error };
  return pause(step, { code: `act.${error.code}`, because: `${step.title}: ${error.message}` });
}

/** Another writer changed the same object at the same moment. A conflict over fields is not this: it names the fields, and repeating does not fix it. */
function isOvertaken(error: unknown): error is KubeError {
  return isKubeError(error, 'conflict') && (error.detail.conflicts ?? []).length === 0;
}

function onProgress(state: JournalState, step: Step, seen: Extract<Observation, { saw: 'progress' }>): Next {
  const { progress, unknownSeconds, waitedSeconds, silentSeconds, fault } = seen;
  const verdict = verdictOnWait(progress, step, {
    accepted: progress.kind === 'unknown' ? accepted(state, step, seen.done, progress.subjects) : null,
    unknownSeconds,
    waitedSeconds,
    // The user saw this fault in this step and chose to keep waiting: it pauses no more, only the deadline does.
    fault: fault && wasPausedFor(state.journal, step.key, fault.code) ? null : fault,
  });
  switch (verdict.kind) {
    case 'finish':
      return { do: 'finish', step, outcome: verdict.outcome, note: verdict.note };
    case 'pause':
      return pause(step, verdict);
    case 'wait': {
      const { awaiting, heldUpBy } = verdict;
      return { do: 'keep-waiting', awaiting, heldUpBy, nudge: dueNudge(state, step, silentSeconds) };
    }
  }
}

/**
 * The reason with which a doubt was accepted. A later step may have the same condition (the proof right before kube-proxy goes): what was accepted
 * for these subjects holds there too.
 */
function accepted(
  { plan, journal }: JournalState,
  step: Step,
  done: Condition,
  subjects: readonly Subject[],
): string | null {
  const reasons = [step, ...sameDone(plan, journal, step.key.direction, done)].map(({ key }) =>
    acceptedReason(journal, key, subjects),
  );
  return reasons.find((reason) => reason !== null) ?? null;
}

/** The nudge, if it is time for it. Once for each step. */
function dueNudge(
  { journal }: JournalState,
  { nudge, key }: Step,
  silentSeconds: number | null,
): PlannedOperation['nudge'] {
  if (!nudge || silentSeconds === null || silentSeconds < nudge.afterSeconds) return null;
  return wasNudged(journal, key.seq) ? null : nudge;
}

/** Pauses once for each tool that writes what this run wrote: it would revert the run at any moment. */
function onReconcilers({ journal }: JournalState, step: Step, subjects: Subject[]): Next {
  const because = `Another tool now writes the same fields as this run: ${subjects.map(({ kind, name, detail }) => `${kind} ${name}: ${detail}`).join('; ')}. It would revert the values of this run. Change its source or pause it, then continue.`;
  if (subjects.length === 0 || wasPausedBecause(journal, because)) return { do: 'listen' };
  return pause(step, { code: 'managed-by.reconciler', because, subjects });
}

/** Pauses once for each step. Never on the way back, which is what repairs the Service. */
function onGap({ journal }: JournalState, step: Step, { node, kind, ms }: OpenGap): Next {
  const code = 'services.gap';
  if (step.key.direction === 'undo' || wasPausedFor(journal, step.key, code)) return { do: 'listen' };
  const detail = `${serviceTitle(kind)} has not answered for ${gapLength(ms)}`;
  return pause(step, {
    code,
    because: `${step.title}: on node ${node}, ${detail}. A step may interrupt it for at most ${gapLength(allowedGapMs)}.`,
    subjects: [{ kind: 'Node', namespace: null, name: node, detail }],
    choices: ['undo', 'keep-waiting', 'stop'],
  });
}

/**
 * Pauses on an error that repeating does not fix (a right that was removed, an answer that cannot be used), so that the run never ends without a
 * reason in the journal.
 */
function onFailure(step: Step | undefined, { error, call }: Extract<Observation, { saw: 'failure' }>): Next {
  if (error instanceof JournalTaken) return { do: 'leave', outcome: { kind: 'lost', because: error.message } };
  if (error instanceof JournalGone) return { do: 'pause-unwritten', code: 'journal.gone', because: error.message };
  if (call?.kind === 'lease-lost') return { do: 'leave', outcome: lost };
  if (call?.kind === 'interrupted') return { do: 'leave', outcome: { kind: 'interrupted' } };
  // Without credentials the pause cannot be journalled: the run keeps its state, and the process says why it leaves.
  if (isKubeError(error, 'unauthorized', 'credentials'))
    return { do: 'pause-unwritten', code: 'credentials', because: error.message };
  if (!isKubeError(error) || !step) return { do: 'throw', error };
  return pause(step, { code: `read.${error.code}`, because: `${step.title}: ${error.message}` });
}

function onUnwrittenPause(error: unknown): Next {
  if (!isKubeError(error, 'forbidden', 'unauthorized', 'credentials')) return { do: 'throw', error };
  return { do: 'pause-unwritten', code: `journal.${error.code}`, because: error.message };
}

function changedPause(step: Step, changes: Subject[]): Pause {
  const fields = changes.map((one) => `${one.kind} ${one.name}: ${one.detail}`).join('; ');
  return pause(step, {
    code: 'object.changed',
    because: `${step.title}: something changed since the plan was made. ${fields}.`,
    subjects: changes,
  });
}
