import { changedBetween } from '../acts/guards.ts';
import type { PauseChoice } from '../model/journal.ts';
import { remainsOf } from '../model/operation-lines.ts';
import type { Step } from '../model/steps.ts';
import { awaitEffect, performAct } from './act.ts';
import { CarriedRun, type CarriedRunOptions } from './carried-run.ts';
import { type EventReason, recordEvent } from './cluster-events.ts';
import type { Next, Observation, Pause } from './decision.ts';
import { pausedState } from './pause.ts';

export type RunOutcome =
  | { kind: 'done' }
  | { kind: 'undone' }
  | { kind: 'stopped'; remains: string[] }
  /** `operation` is null if the pause could not be journalled: the journal then still says that the run is running. */
  | { kind: 'paused'; code: string; because: string; choices: PauseChoice[]; operation: string | null }
  | { kind: 'interrupted' }
  /** Another process carries the run now. */
  | { kind: 'lost'; because: string };

/**
 * Carries out the steps of a run, one after the other, as `decide` says: guard, journal, act, journal, wait, journal (operations.md › The journal and
 * recovery; Waits). Only the holder of the Lease may call it.
 */
export async function executeRun(options: CarriedRunOptions): Promise<RunOutcome> {
  const run = new CarriedRun(options);
  const recordOnCluster = eventsOnCluster(options);
  let next: Next = { do: 'listen' };
  try {
    await run.skipEarlierRequest();
    run.events.snapshot(options.journal);
    for (;;) {
      const seen = await carryOut(run, next, recordOnCluster);
      if ('kind' in seen) return seen;
      next = run.decide(seen);
    }
  } catch (error) {
    return await failed(run, error, recordOnCluster);
  } finally {
    await run.services.end();
  }
}

async function failed(run: CarriedRun, error: unknown, recordOnCluster: RecordOnCluster): Promise<RunOutcome> {
  const next = run.decide({ saw: 'failure', error, call: run.interruption() });
  try {
    return await ended(run, next, recordOnCluster);
  } catch (unwritten) {
    if (next.do !== 'pause') throw unwritten;
    return ended(run, run.decide({ saw: 'pause-unwritten', error: unwritten }), recordOnCluster);
  }
}

/** Carries out what follows a failure, which always ends this process's part in the run. */
async function ended(run: CarriedRun, next: Next, recordOnCluster: RecordOnCluster): Promise<RunOutcome> {
  const outcome = await carryOut(run, next, recordOnCluster);
  if ('kind' in outcome) return outcome;
  throw new Error(`A run does not continue by ${next.do} after a failure.`);
}

/** Does one thing and returns what was observed, or how the run ended for this process. */
async function carryOut(
  run: CarriedRun,
  next: Next,
  recordOnCluster: RecordOnCluster,
): Promise<Observation | RunOutcome> {
  const { journal, kube, holder } = run.o;
  const at = run.now();
  switch (next.do) {
    case 'listen':
      return { saw: 'call', call: await run.listen() };
    case 'look':
      return { saw: 'effect', progress: await run.look(next.step.done) };
    case 'compare': {
      const { guards, act } = next.step;
      const changes = await run.retry.until(() => changedBetween(kube, guards, next.begun ? act : null));
      return { saw: 'changes', changes };
    }
    case 'begin': {
      const call = await run.services.before(next.step, run.state, { to: 'act', listen: () => run.listen() });
      if (call) return { saw: 'call', call };
      await run.write([{ what: 'begun', ...next.step.key, at, by: holder }]);
      run.events.operation(next.step, 'begun');
      return { saw: 'begun' };
    }
    case 'act': {
      const call = await run.services.before(next.step, run.state, { to: 'act', listen: () => run.listen() });
      if (call) return { saw: 'call', call };
      const instead = await performAct(run, next.step, next.step.act);
      if (instead) return carryOut(run, instead, recordOnCluster);
      await run.writeActed(next.step.key);
      run.events.operation(next.step, 'acted');
      return { saw: 'acted' };
    }
    case 'wait': {
      const call = await run.services.before(next.step, run.state, { to: 'wait', listen: () => run.listen() });
      if (call) return { saw: 'call', call };
      return carryOut(run, await awaitEffect(run, next.step, next.step.done), recordOnCluster);
    }
    case 'finish':
      await finish(run, next, recordOnCluster);
      return { saw: 'nothing' };
    case 'pause':
      return pause(run, next, recordOnCluster);
    case 'pause-unwritten': {
      const { code, because } = next;
      run.events.problem(code, because, [], ['resume']);
      return { kind: 'paused', code, because, choices: ['resume'], operation: null };
    }
    case 'turn-back':
      await run.write([{ what: 'undo-asked', at, by: holder }], { kind: 'running', direction: 'undo' });
      await recordOnCluster('UndoStarted', 'is being undone', 'Warning');
      run.events.snapshot(journal);
      return { saw: 'turned-back' };
    case 'stop':
      return stop(run, next.step, recordOnCluster);
    case 'end':
      await run.services.look('now');
      await run.write([{ what: 'ended', at, state: next.as }], { kind: next.as });
      await recordOnCluster('RunEnded', next.as === 'done' ? 'is done' : 'was undone');
      return { kind: next.as };
    case 'leave':
      return next.outcome;
    case 'throw':
    case 'retry':
    case 'keep-waiting':
      throw next.do === 'throw' ? next.error : new Error(`${next.do} is for acts and waits alone.`);
  }
}

async function finish(
  run: CarriedRun,
  { step, outcome, note }: Extract<Next, { do: 'finish' }>,
  recordOnCluster: RecordOnCluster,
) {
  await run.write([{ what: 'finished', ...step.key, at: run.now(), outcome, note }]);
  run.events.operation(step, 'finished', { note, outcome });
  const did = step.key.direction === 'undo' ? 'took back' : 'finished';
  await recordOnCluster('OperationFinished', `${did} ${step.id}${note ? ` (${note})` : ''}`);
}

async function pause(run: CarriedRun, next: Pause, recordOnCluster: RecordOnCluster): Promise<RunOutcome> {
  const { step, code, because, meaning, subjects, choices } = next;
  const state = pausedState(next);
  const by = state.by === undefined ? {} : { by: state.by };
  await run.write([{ what: 'paused', at: run.now(), code, because: state.because, ...by }], state);
  run.events.problem(code, `${because} ${meaning}`, subjects, choices);
  await recordOnCluster('RunPaused', because, 'Warning');
  return { kind: 'paused', code, because, choices, operation: step.id };
}

async function stop(run: CarriedRun, step: Step, recordOnCluster: RecordOnCluster): Promise<RunOutcome> {
  const { plan, journal } = run.state;
  const remains = remainsOf(plan, journal);
  await run.write([{ what: 'ended', at: run.now(), state: 'stopped' }], { kind: 'stopped', remains });
  run.events.log(`Stopped at ${step.title}. The cluster stays as it is.`);
  await recordOnCluster('RunEnded', 'was stopped; the cluster stays as it is', 'Warning');
  return { kind: 'stopped', remains };
}

type RecordOnCluster = (reason: EventReason, message: string, type?: 'Normal' | 'Warning') => Promise<void>;

function eventsOnCluster({ kube, clock, journal }: CarriedRunOptions): RecordOnCluster {
  let counter = 0;
  return (reason, message, type = 'Normal') =>
    recordEvent(kube, clock, journal.current().run, type, reason, message, counter++);
}
