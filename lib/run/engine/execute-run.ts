import { isDeepStrictEqual } from 'node:util';
import type { Subject } from '#lib/facts/index.ts';
import { type Clock, isKubeError, type Kube, type KubeError } from '#lib/kube/index.ts';
import { type Act, type Condition, whenPaused } from '#lib/plan/index.ts';
import { changedBetween } from '../acts/guards.ts';
import { type ApplyAct, actsOfManifest, ManifestMissing, type Manifests } from '../acts/manifest-acts.ts';
import { deletions, isPerformed, isWriting, perform, type WritingAct } from '../acts/perform.ts';
import type { ConditionContext } from '../conditions/context.ts';
import { conditionContext, felixResourceOf } from '../conditions/context.ts';
import { evaluate } from '../conditions/evaluate.ts';
import type { Progress } from '../conditions/progress.ts';
import { JournalGone, JournalTaken, journalRef, type OpenJournal } from '../journal/journal-store.ts';
import type { Emit } from '../model/event.ts';
import {
  acceptedReason,
  directionOf,
  type Entry,
  type PauseChoice,
  partsFinished,
  phaseOf,
  type RunState,
} from '../model/journal.ts';
import { operationLines } from '../model/operation-lines.ts';
import { type Step, stepsOf } from '../model/steps.ts';
import { ApiRetry, isPassing } from './api-retry.ts';
import { type EventReason, recordEvent } from './cluster-events.ts';
import type { RunControl } from './control.ts';
import { type LastingFault, LastingFaults } from './lasting-faults.ts';
import { LastingUnknown } from './lasting-unknown.ts';
import type { HeldLease } from './lease.ts';
import { reconcilerMarks } from './reconciler-marks.ts';
import { type Request, requestOf } from './requests.ts';
import { restoreJournal } from './restore-journal.ts';
import { RunEvents } from './run-events.ts';
import { tigeraConditions } from './tigera-conditions.ts';
import { verdictOnWait } from './verdict-on-wait.ts';

export type ExecutorOptions = {
  kube: Kube;
  clock: Clock;
  journal: OpenJournal;
  journalNamespace: string;
  lease: HeldLease;
  /** Who acts, for the journal. */
  holder: string;
  control: RunControl;
  /** Without one, a step that needs a file of a release pauses the run. */
  manifests?: Manifests | undefined;
  emit: Emit;
  random?: (() => number) | undefined;
  /** SIGTERM: the act in flight is finished and journalled, the rest is left for the next process. */
  signal: AbortSignal;
};

export type RunOutcome =
  | { kind: 'done' }
  | { kind: 'undone' }
  | { kind: 'stopped'; remains: string[] }
  /** `operation` is null where not even the journal could be told: there the run still says that it is running. */
  | { kind: 'paused'; code: string; because: string; choices: PauseChoice[]; operation: string | null }
  | { kind: 'interrupted' }
  /** Another process carries the run now. */
  | { kind: 'lost'; because: string };

/** What a part of a sequence has proven is proven again when the next part is written later than this: after a pause, or an API server that was away. */
const proofHoldsMs = 10_000;
const marksEveryMs = 10_000;

type Pause = { what: 'pause'; code: string; because: string; subjects: Subject[]; choices: PauseChoice[] };
type Ending = Pause | { what: 'asked'; action: Request['action'] } | { what: 'interrupted' } | { what: 'lost' };
type Finished = { what: 'finished'; outcome: 'met' | 'unknown' | 'acknowledged'; note: string | null };

/**
 * Carries a run's steps out, one after the other: guard, journal, act, journal, wait, journal (operations.md › The journal and recovery; Waits).
 * It holds no truth of its own: killed at any point, the next executor reads the journal and goes on. Only the Lease's holder may call it.
 */
export function executeRun(options: ExecutorOptions): Promise<RunOutcome> {
  return new Executor(options).run();
}

class Executor {
  private readonly o: ExecutorOptions;
  private readonly events: RunEvents;
  private readonly retry: ApiRetry;
  private readonly proofs: ConditionContext['proofs'] = new Map();
  private answered: string | null = null;
  private eventCounter = 0;
  private marksAt = Number.NEGATIVE_INFINITY;

  constructor(options: ExecutorOptions) {
    this.o = options;
    this.events = new RunEvents(options.emit, options.clock);
    this.retry = new ApiRetry({ ...options, events: this.events });
  }

  async run(): Promise<RunOutcome> {
    const { journal, lease, signal } = this.o;
    try {
      // A request that was there before this process took over was meant for somebody else.
      this.answered = (await this.request())?.id ?? null;
      this.events.snapshot(journal);
      for (;;) {
        const step = this.nextStep();
        if (!step) {
          // Who asked for the way back while the last step was awaited was told that it is taken.
          const asked = await this.question('nothing-left');
          if (asked?.what === 'asked' && asked.action === 'undo') await this.turnBack();
          if (this.nextStep()) continue;
          return await this.end({ kind: directionOf(journal.current()) === 'undo' ? 'undone' : 'done' });
        }
        const ending = await this.carryOut(step);
        const outcome = ending && (await this.answer(step, ending));
        if (outcome) return outcome;
      }
    } catch (error) {
      if (error instanceof JournalTaken) return { kind: 'lost', because: error.message };
      if (error instanceof JournalGone) return this.pauseWithoutJournal('journal.gone', error);
      if (lease.lost.aborted) return { kind: 'lost', because: 'another process holds the Lease' };
      if (signal.aborted) return { kind: 'interrupted' };
      if (isKubeError(error, 'unauthorized', 'credentials')) {
        // Without credentials nothing can be journalled: the run stays as it is, and says why.
        return this.pauseWithoutJournal('credentials', error);
      }
      const step = this.nextStep();
      if (!isKubeError(error) || !step) throw error;
      // A right that was taken away, or an answer that cannot be used: no reason to leave the run without a word.
      const ending: Pause = {
        what: 'pause',
        code: `read.${error.code}`,
        because: `${step.title}: ${error.message}`,
        subjects: [],
        choices: ['resume', 'undo', 'stop'],
      };
      return this.pause(step, ending).catch((unwritten: unknown) => {
        if (!isKubeError(unwritten, 'forbidden', 'unauthorized', 'credentials')) throw unwritten;
        return this.pauseWithoutJournal(`journal.${unwritten.code}`, unwritten);
      });
    }
  }

  private pauseWithoutJournal(code: string, { message: because }: Error): RunOutcome {
    this.events.problem(code, because, [], ['resume']);
    return { kind: 'paused', code, because, choices: ['resume'], operation: null };
  }

  private nextStep(): Step | undefined {
    const { journal } = this.o;
    const current = journal.current();
    return stepsOf(journal.plan, current, directionOf(current)).find(
      (step) => phaseOf(current, step.key) !== 'finished',
    );
  }

  /** One step from wherever its journal says it is. Null when it finished. */
  private async carryOut(step: Step): Promise<Ending | null> {
    const { journal, kube, holder } = this.o;
    const asked = await this.question();
    if (asked) return asked;

    let phase = phaseOf(journal.current(), step.key);
    if (phase === 'begun' && tellsByItself(step)) {
      // Begun by a process that is gone: judged by its postcondition, then repeated or taken as done.
      const progress = await this.look(step.done);
      if (progress.kind === 'met')
        return this.finish(step, {
          what: 'finished',
          outcome: 'met',
          note: 'its effect was already there when the run was carried on',
        });
    }
    if (phase === 'ahead' || phase === 'begun') {
      const changes = await this.retry.until(() =>
        changedBetween(kube, step.guards, phase === 'begun' ? step.act : null),
      );
      if (changes.length > 0) return changedPause(step, changes);
    }
    if (phase === 'ahead') {
      await this.write([{ what: 'begun', ...step.key, at: this.now(), by: holder }]);
      this.events.operation(step, 'begun');
      phase = 'begun';
    }
    if (phase === 'begun') {
      const ending = await this.act(step, step.act);
      if (ending) return ending;
      await this.write([{ what: 'acted', ...step.key, at: this.now() }]);
      this.events.operation(step, 'acted');
    }
    const waited = await this.wait(step, step.done);
    return waited.what === 'finished' ? this.finish(step, waited) : waited;
  }

  /** Performs an act; each part of a sequence is awaited before the next. `before`: what must still be so at every attempt. */
  private async act(step: Step, act: Act, before?: () => Promise<Ending | null>): Promise<Ending | null> {
    if (act.kind === 'instruct') this.events.log(act.text);
    if (act.kind === 'sequence') return this.actInParts(step, act.steps);
    if (act.kind === 'apply-manifest') return this.actOnFile(step, act);
    if (act.kind === 'delete-all') return this.actOnEach(step, deletions(act), before);
    if (!isWriting(act)) return null;
    for (let tries = 0; ; tries++) {
      const may = await this.retry.mayAct();
      if (may === 'refused') return this.leaseRefused();
      if (may !== 'may') return { what: may };
      try {
        // Look and write are one attempt: reads that work while writes fail are not a cluster that is back.
        return await this.retry.once(async () => {
          if (await isPerformed(this.o.kube, act)) return null;
          const ending = await before?.();
          if (ending) return ending;
          await perform(this.o.kube, act, 'act');
          return null;
        });
      } catch (error) {
        // A write whose answer was lost may have happened: the next turn looks before it writes again.
        if (isPassing(error) || isOvertaken(error)) await this.retry.backOff(error, tries);
        else if (isKubeError(error) && !isKubeError(error, 'unauthorized', 'credentials')) {
          return {
            what: 'pause',
            code: `act.${error.code}`,
            because: `${step.title}: ${error.message}`,
            subjects: [],
            choices: ['resume', 'undo', 'stop'],
          };
        } else throw error;
      }
    }
  }

  /** Object by object; what is there already is passed over, so that a file that was begun is finished. */
  private async actOnFile(step: Step, act: Extract<Act, { kind: 'apply-manifest' }>): Promise<Ending | null> {
    const { journal, manifests, signal } = this.o;
    let acts: ApplyAct[];
    try {
      acts = await actsOfManifest(act, manifests, { choices: journal.plan.choices, signal });
    } catch (error) {
      if (!(error instanceof ManifestMissing)) throw error;
      return {
        what: 'pause',
        code: 'release.missing',
        because: `${step.title}: ${error.message}`,
        subjects: [],
        choices: ['resume', 'undo', 'stop'],
      };
    }
    return this.actOnEach(step, acts);
  }

  private async actOnEach(
    step: Step,
    acts: readonly WritingAct[],
    before?: () => Promise<Ending | null>,
  ): Promise<Ending | null> {
    for (const one of acts) {
      const ending = await this.act(step, one, before);
      if (ending) return ending;
    }
    return null;
  }

  /** Parts that the journal has as finished are not judged again: a later part may have reversed them. Others are passed over where their effect is there. */
  private async actInParts(step: Step, parts: readonly { act: Act; done: Condition }[]): Promise<Ending | null> {
    const { clock, journal } = this.o;
    let seenAt: number | null = null;
    for (const [part, { act, done }] of parts.entries()) {
      if (part < partsFinished(journal.current(), step.key)) continue;
      const proof = parts[part - 1];
      const stillProven = async (): Promise<Ending | null> => {
        if (proof?.act.kind !== 'wait' || (seenAt !== null && clock.monotonic() - seenAt < proofHoldsMs)) return null;
        const again = await this.wait(step, proof.done);
        seenAt = clock.monotonic();
        return again.what === 'finished' ? null : again;
      };
      if ((await this.look(done)).kind !== 'met') {
        const ending = await this.act(step, act, stillProven);
        if (ending) return ending;
        const waited = await this.wait(step, done);
        if (waited.what !== 'finished') return waited;
      }
      seenAt = clock.monotonic();
      await this.write([{ what: 'part', ...step.key, part, at: this.now() }]);
    }
    return null;
  }

  /** Follows a condition until it is met, fails, is unknown for good, the deadline passes, or somebody asks for something else. */
  private async wait(step: Step, done: Condition): Promise<Finished | Ending> {
    const { clock } = this.o;
    const began = clock.monotonic();
    const deadlineAt = new Date(clock.now() + step.deadlineSeconds * 1000).toISOString();
    const doubts = new LastingUnknown();
    let silentSince: number | null = null;
    const faults = new LastingFaults();
    for (;;) {
      const started = clock.monotonic();
      const progress = await this.look(done);
      const now = clock.monotonic();
      silentSince = progress.kind === 'waiting' && progress.operatorSilent ? (silentSince ?? now) : null;

      const verdict = verdictOnWait(progress, step, {
        accepted: progress.kind === 'unknown' ? this.accepted(step, done, progress.subjects) : null,
        unknownSeconds: doubts.seconds(progress, now),
        waitedSeconds: (now - began) / 1000,
        fault: this.untold(step, progress.kind === 'waiting' ? faults.among(progress.faults ?? [], now) : null),
      });
      if (verdict.kind === 'finish') return { what: 'finished', outcome: verdict.outcome, note: verdict.note };
      if (verdict.kind === 'pause') return { ...verdict, what: 'pause' };
      this.events.waiting(step, verdict.awaiting, verdict.heldUpBy, deadlineAt);

      if (silentSince !== null && this.nudgeIsDue(step, (now - silentSince) / 1000)) {
        const ending = await this.nudge(step);
        if (ending) return ending;
      }
      const taken = await this.reconcilers();
      if (taken) return taken;
      this.events.changedConditions(await this.retry.until(() => tigeraConditions(this.o.kube, this.o.signal)));
      const asked = await this.question();
      if (asked) return asked;
      this.events.beat();
      // Reading 5,000 nodes takes longer than reading four: the pace follows what a look costs.
      await this.retry.rest(Math.min(15_000, Math.max(1_000, 4 * (now - started))));
    }
  }

  /** Somebody who was told of a fault in this step and keeps waiting is not told again: the deadline stands. */
  private untold(step: Step, fault: LastingFault | null): LastingFault | null {
    if (!fault) return null;
    const { entries } = this.o.journal.current();
    const begun = entries.findLastIndex(
      (entry) => entry.what === 'begun' && isDeepStrictEqual(step.key, { direction: entry.direction, seq: entry.seq }),
    );
    const told = entries.slice(begun + 1).some((entry) => entry.what === 'paused' && entry.code === fault.code);
    return told ? null : fault;
  }

  /** A later step may ask the same again (the proof right before the proxy goes): what was accepted about these subjects stands. */
  private accepted(step: Step, done: Condition, subjects: readonly Subject[]): string | null {
    const { journal } = this.o;
    const same = stepsOf(journal.plan, journal.current(), step.key.direction).filter((one) =>
      isDeepStrictEqual(one.done, done),
    );
    const reasons = [step, ...same].map(({ key }) => acceptedReason(journal.current(), key, subjects));
    return reasons.find((reason) => reason !== null) ?? null;
  }

  private async look(condition: Condition): Promise<Progress> {
    const { kube, clock, journal, signal } = this.o;
    const runStartedAt = Date.parse(journal.current().startedAt);
    const progress = await this.retry.until(() =>
      evaluate(
        condition,
        conditionContext({ kube, clock, signal, plan: journal.plan, runStartedAt, proofs: this.proofs }),
      ),
    );
    this.events.changedNodes(progress.nodes ?? []);
    return progress;
  }

  private nudgeIsDue(step: Step, silentSeconds: number): boolean {
    if (!step.nudge || silentSeconds < step.nudge.afterSeconds) return false;
    return !this.o.journal.current().entries.some((entry) => entry.what === 'nudged' && entry.seq === step.key.seq);
  }

  private async nudge(step: Step): Promise<Ending | null> {
    if (!step.nudge) return null;
    await this.write([{ what: 'nudged', at: this.now(), seq: step.key.seq, because: step.nudge.because }]);
    this.events.log(step.nudge.because);
    return this.act(step, step.nudge.act);
  }

  private request(): Promise<Request | null> {
    const { kube, journal, journalNamespace } = this.o;
    return this.retry.until(async () => {
      const object = await kube.get(journalRef(journal.current().run, journalNamespace));
      if (object === null) await this.restore();
      return requestOf(object);
    });
  }

  /** What was asked from within, from another process, or by a signal; null when nothing. */
  private async question(left: 'steps-left' | 'nothing-left' = 'steps-left'): Promise<Ending | null> {
    const { control, lease, signal } = this.o;
    if (lease.lost.aborted) return { what: 'lost' };
    if (signal.aborted) return { what: 'interrupted' };
    if (lease.refusal()) return this.leaseRefused();
    const own = control.next();
    if (own) return { what: 'asked', action: own };
    const request = await this.request();
    if (!request || request.id === this.answered) return null;
    this.answered = request.id;
    const taken = left === 'steps-left' ? request.action !== 'resume' : request.action === 'undo';
    await this.write([
      {
        what: 'request',
        at: this.now(),
        request: `${request.action} by ${request.by}`,
        answer: taken ? 'taken' : left === 'steps-left' ? 'the run is already going on' : 'the run has come to its end',
      },
    ]);
    return taken ? { what: 'asked', action: request.action } : null;
  }

  /** Without renewing its Lease nobody may act; no waiting grants a right. */
  private leaseRefused(): Ending {
    const refusal = this.o.lease.refusal();
    return {
      what: 'pause',
      code: `lease.${refusal?.code ?? 'refused'}`,
      because: `The Lease by which this run is carried cannot be renewed: ${refusal?.message ?? 'the right was taken away.'}`,
      subjects: [],
      choices: ['resume', 'undo', 'stop'],
    };
  }

  /** A tool that has begun to write what this run wrote would take it back at a moment of its own. Told once each. */
  private async reconcilers(): Promise<Ending | null> {
    const { clock, kube, journal, signal } = this.o;
    if (clock.monotonic() - this.marksAt < marksEveryMs) return null;
    this.marksAt = clock.monotonic();
    const felix = felixResourceOf(journal.plan);
    const subjects = await this.retry.until(() =>
      reconcilerMarks(kube, journal.plan, journal.current(), felix, signal),
    );
    const because = `Another tool has begun to write what this run has written: ${subjects.map(({ kind, name, detail }) => `${kind} ${name}: ${detail}`).join('; ')}. It would put its own values back. Change its source or pause it, then go on.`;
    const told = journal.current().entries.some((entry) => entry.what === 'paused' && entry.because === because);
    if (subjects.length === 0 || told) return null;
    return { what: 'pause', code: 'managed-by.reconciler', because, subjects, choices: ['resume', 'undo', 'stop'] };
  }

  /** What an ending means for the run; null when it goes on. */
  private async answer(step: Step, ending: Ending): Promise<RunOutcome | null> {
    if (ending.what === 'interrupted') return { kind: 'interrupted' };
    if (ending.what === 'lost') return { kind: 'lost', because: 'another process holds the Lease' };
    if (ending.what === 'pause') return this.pause(step, ending);
    switch (ending.action) {
      case 'resume':
        return null;
      case 'undo':
        await this.turnBack();
        return null;
      case 'stop':
        return this.stop(step);
      case 'pause':
        return this.pause(step, {
          what: 'pause',
          code: 'asked',
          because: 'Somebody asked for a pause.',
          subjects: [],
          choices: ['resume', 'undo', 'stop'],
        });
    }
  }

  private async finish(step: Step, { outcome, note }: Finished): Promise<null> {
    await this.write([{ what: 'finished', ...step.key, at: this.now(), outcome, note }]);
    this.events.operation(step, 'finished', { note, outcome });
    await this.tell(
      'OperationFinished',
      `${step.key.direction === 'undo' ? 'took back' : 'finished'} ${step.id}${note ? ` (${note})` : ''}`,
    );
    return null;
  }

  private async pause(step: Step, { code, because, subjects, choices: offered }: Pause): Promise<RunOutcome> {
    // Who is on the way back already cannot turn back once more.
    const choices = step.key.direction === 'undo' ? offered.filter((choice) => choice !== 'undo') : offered;
    const meaning = whenPaused(step.id, step.key.direction);
    const state: RunState = {
      kind: 'paused',
      ...step.key,
      id: step.id,
      code,
      because: because.slice(0, 2000),
      meaning,
      subjects: subjects.slice(0, subjectsKept).map(shortened),
      choices,
    };
    await this.write([{ what: 'paused', at: this.now(), code, because: state.because }], state);
    this.events.problem(code, `${because} ${meaning}`, subjects, choices);
    await this.tell('RunPaused', because, 'Warning');
    return { kind: 'paused', code, because, choices, operation: step.id };
  }

  private async turnBack(): Promise<void> {
    if (directionOf(this.o.journal.current()) === 'undo') return;
    await this.write([{ what: 'undo-asked', at: this.now(), by: this.o.holder }], {
      kind: 'running',
      direction: 'undo',
    });
    await this.tell('UndoStarted', 'is being taken back', 'Warning');
    this.events.snapshot(this.o.journal);
  }

  private async stop(step: Step): Promise<RunOutcome> {
    const remains = remainsOf(this.o.journal);
    await this.write([{ what: 'ended', at: this.now(), state: 'stopped' }], { kind: 'stopped', remains });
    this.events.log(`Stopped at ${step.title}. The cluster stays as it is.`);
    await this.tell('RunEnded', 'was stopped; the cluster stays as it is', 'Warning');
    return { kind: 'stopped', remains };
  }

  private async end(state: { kind: 'done' | 'undone' }): Promise<RunOutcome> {
    await this.write([{ what: 'ended', at: this.now(), state: state.kind }], state);
    await this.tell('RunEnded', state.kind === 'done' ? 'is done' : 'was taken back');
    return state;
  }

  private async write(entries: Entry[], state?: RunState): Promise<void> {
    const { journal } = this.o;
    for (;;) {
      try {
        await this.retry.until(() => journal.append(entries, state ? { state } : {}));
        return this.events.copied(journal.uncopied());
      } catch (error) {
        if (!(error instanceof JournalGone)) throw error;
        await this.restore();
      }
    }
  }

  private restore(): Promise<void> {
    return restoreJournal({
      ...this.o,
      namespace: this.o.journalNamespace,
      retry: this.retry,
      events: this.events,
    });
  }

  private tell(reason: EventReason, message: string, type: 'Normal' | 'Warning' = 'Normal'): Promise<void> {
    return recordEvent(
      this.o.kube,
      this.o.clock,
      this.o.journal.current().run,
      type,
      reason,
      message,
      this.eventCounter++,
    );
  }

  private now(): string {
    return new Date(this.o.clock.now()).toISOString();
  }
}

/** Definitions of an earlier release are established too: that this file was applied shows in nothing, and applying it once more changes nothing. */
function tellsByItself({ act }: Step): boolean {
  return act.kind !== 'apply-manifest';
}

/** Somebody else wrote the same object at the same moment; a conflict over fields names them, and no repetition fixes it. */
function isOvertaken(error: unknown): error is KubeError {
  return isKubeError(error, 'conflict') && (error.detail.conflicts ?? []).length === 0;
}

/** A pause is stored with the run, in one object with its journal: a large cluster must not make it outgrow that. */
const subjectsKept = 500;

function shortened(subject: Subject): Subject {
  return subject.detail.length <= 200 ? subject : { ...subject, detail: `${subject.detail.slice(0, 200)} …` };
}

/** What a stopped run leaves on the cluster, for its report. Steps that write nothing leave nothing. */
export function remainsOf(journal: OpenJournal): string[] {
  return operationLines(journal.plan, journal.current())
    .filter(
      ({ state, effect }) => effect !== 'none' && (state === 'finished' || state === 'begun' || state === 'undoing'),
    )
    .map((line) => `${line.id}: ${line.title}`);
}

function changedPause(step: Step, changes: Subject[]): Pause {
  return {
    what: 'pause',
    code: 'object.changed',
    because: `${step.title}: something changed since the plan was made. ${changes.map((one) => `${one.kind} ${one.name}: ${one.detail}`).join('; ')}.`,
    subjects: changes,
    choices: ['resume', 'undo', 'stop'],
  };
}
