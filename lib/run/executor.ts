import { runChecks } from '#lib/checks/index.ts';
import { collectFacts, type Facts, type Subject } from '#lib/facts/index.ts';
import { type Clock, isKubeError, type Kube, type KubeError } from '#lib/kube/index.ts';
import type { Act, Condition } from '#lib/plan/index.ts';
import { resources } from '#lib/spec/index.ts';
import { type EventReason, recordEvent } from './cluster-events.ts';
import { type ConditionContext, evaluate } from './conditions/evaluate.ts';
import type { RunControl } from './control.ts';
import type { Emit, NodeState } from './event.ts';
import { changedBetween } from './guards.ts';
import { directionOf, type Entry, type PauseChoice, phaseOf, type RunState } from './journal.ts';
import { JournalTaken, journalRef, type OpenJournal } from './journal-store.ts';
import type { HeldLease } from './lease.ts';
import { meaningOf } from './meaning.ts';
import { operationLines } from './operation-lines.ts';
import { isPerformed, isWriting, perform } from './perform.ts';
import { type Request, requestOf } from './requests.ts';
import { type Step, stepsOf } from './steps.ts';

/**
 * Carries a run's steps out, one after the other: guard, journal, act, journal, wait, journal (operations.md › The journal and recovery; Waits).
 * It holds no truth of its own: killed at any point, the next executor reads the journal and goes on. Only the Lease's holder may call it.
 */
export type ExecutorOptions = {
  kube: Kube;
  clock: Clock;
  journal: OpenJournal;
  journalNamespace: string;
  lease: HeldLease;
  /** Who acts, for the journal. */
  holder: string;
  control: RunControl;
  emit: Emit;
  /** SIGTERM: the act in flight is finished and journalled, the rest is left for the next process. */
  signal: AbortSignal;
};

export type RunOutcome =
  | { kind: 'done' }
  | { kind: 'undone' }
  | { kind: 'stopped'; remains: string[] }
  | { kind: 'paused'; code: string; because: string; choices: PauseChoice[] }
  | { kind: 'interrupted' }
  /** Another process carries the run now. */
  | { kind: 'lost'; because: string };

type Pause = { what: 'pause'; code: string; because: string; subjects: Subject[]; choices: PauseChoice[] };
type StepResult =
  | { what: 'finished' }
  | { what: 'asked'; action: Request['action'] }
  | { what: 'interrupted' }
  | { what: 'lost'; because: string }
  | Pause;

/** Codes that waiting may mend. */
const passing = ['unreachable', 'timeout', 'server', 'too-many-requests', 'expired', 'protocol'] as const;
/** An *unknown* may be a moment's (an agent that restarts has no log yet): it must last this long before it pauses a run. */
const unknownForSeconds = 20;
const heartbeatMs = 10_000;

export async function executeRun(options: ExecutorOptions): Promise<RunOutcome> {
  return new Executor(options).run();
}

class Executor {
  private readonly o: ExecutorOptions;
  private readonly proofs: ConditionContext['proofs'] = new Map();
  private readonly nodes = new Map<string, string>();
  private answered: string | null = null;
  private eventCounter = 0;
  private lastBeat = 0;

  constructor(options: ExecutorOptions) {
    this.o = options;
  }

  async run(): Promise<RunOutcome> {
    const { journal, emit, lease } = this.o;
    const first = journal.current();
    // A request that was there before this process took over was meant for somebody else.
    this.answered =
      requestOf(await this.patiently(() => this.o.kube.get(journalRef(first.run, this.o.journalNamespace))))?.id ??
      null;
    emit({
      event: 'snapshot',
      data: {
        role: 'holder',
        cluster: first.cluster,
        goal: first.goal,
        state: first.state,
        operations: operationLines(journal.plan, first),
      },
    });
    try {
      for (;;) {
        const direction = directionOf(journal.current());
        const step = stepsOf(journal.plan, journal.current(), direction).find(
          (one) => phaseOf(journal.current(), one.key) !== 'finished',
        );
        if (!step) return await this.end(direction === 'forward' ? { kind: 'done' } : { kind: 'undone' });
        const result = await this.carryOut(step);
        const outcome = await this.answer(step, result);
        if (outcome) return outcome;
      }
    } catch (error) {
      if (error instanceof JournalTaken) return { kind: 'lost', because: error.message };
      if (lease.lost.aborted) return { kind: 'lost', because: 'another process holds the Lease' };
      if (this.o.signal.aborted) return { kind: 'interrupted' };
      if (isKubeError(error, 'unauthorized', 'credentials')) {
        // Nothing can be journalled without credentials: the run stays as it is, and says why.
        this.problem('credentials', error.message, [], ['resume']);
        return { kind: 'paused', code: 'credentials', because: error.message, choices: ['resume'] };
      }
      throw error;
    }
  }

  private async answer(step: Step, result: StepResult): Promise<RunOutcome | null> {
    switch (result.what) {
      case 'finished':
        return null;
      case 'interrupted':
        return { kind: 'interrupted' };
      case 'lost':
        return { kind: 'lost', because: result.because };
      case 'pause':
        return this.pause(step, result);
      case 'asked':
        switch (result.action) {
          case 'resume':
            return null;
          case 'undo':
            await this.askUndo('request');
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
  }

  /** One step from wherever its journal says it is. */
  private async carryOut(step: Step): Promise<StepResult> {
    const { journal } = this.o;
    const asked = await this.question();
    if (asked) return asked;

    let phase = phaseOf(journal.current(), step.key);
    if (phase === 'begun') {
      // Begun by a process that is gone: judged by its postcondition, then repeated or taken as done.
      const progress = await this.patiently(() => evaluate(step.done, this.context(step, this.o.clock.monotonic())));
      if (progress.kind === 'met') {
        await this.finish(step, 'met', 'its effect was already there when the run was carried on');
        return { what: 'finished' };
      }
    }
    if (phase === 'ahead') {
      const changes = await this.patiently(() => changedBetween(this.o.kube, step.guards, step.act));
      if (changes.length > 0) return changedPause(step, changes);
      await this.journalled([{ what: 'begun', ...step.key, at: this.now(), by: this.o.holder }]);
      this.operation(step, 'begun');
      phase = 'begun';
    }
    if (phase === 'begun') {
      const problem = await this.act(step, step.act);
      if (problem) return problem;
      await this.journalled([{ what: 'acted', ...step.key, at: this.now() }]);
      this.operation(step, 'acted');
    }
    return this.wait(step, step.done);
  }

  /** Performs an act; each part of a sequence is awaited before the next, and parts whose effect is there are passed over. */
  private async act(step: Step, act: Act): Promise<StepResult | null> {
    if (act.kind === 'sequence') {
      for (const part of act.steps) {
        const before = await this.patiently(() => evaluate(part.done, this.context(step, this.o.clock.monotonic())));
        if (before.kind === 'met') continue;
        const problem = await this.act(step, part.act);
        if (problem) return problem;
        const waited = await this.waitFor(step, part.done);
        if (waited.what !== 'finished') return waited;
      }
      return null;
    }
    if (act.kind === 'instruct') {
      this.o.emit({ event: 'log', data: { message: act.text } });
      return null;
    }
    if (!isWriting(act)) return null;
    let attempt = 0;
    for (;;) {
      if (this.o.signal.aborted) return { what: 'interrupted' };
      const may = await this.mayAct();
      if (may) return may;
      try {
        if (!(await isPerformed(this.o.kube, act))) await perform(this.o.kube, act, 'act');
        return null;
      } catch (error) {
        if (!isKubeError(error)) throw error;
        if (isKubeError(error, 'unauthorized', 'credentials')) throw error;
        // A write whose answer was lost may have happened: the next turn looks before it writes again.
        if (isKubeError(error, ...passing)) await this.backOff(error, attempt++);
        else
          return {
            what: 'pause',
            code: `act.${error.code}`,
            because: `${step.title}: ${error.message}`,
            subjects: [],
            choices: ['resume', 'undo', 'stop'],
          };
      }
    }
  }

  private async wait(step: Step, done: Condition): Promise<StepResult> {
    const result = await this.waitFor(step, done);
    if (result.what === 'finished') await this.finish(step, result.outcome, result.note);
    return result.what === 'finished' ? { what: 'finished' } : result;
  }

  /** Follows a condition until it is met, fails, is unknown for good, the deadline passes, or somebody asks for something else. */
  private async waitFor(
    step: Step,
    done: Condition,
  ): Promise<
    | { what: 'finished'; outcome: 'met' | 'unknown' | 'acknowledged'; note: string | null }
    | Exclude<StepResult, { what: 'finished' }>
  > {
    const { clock, journal } = this.o;
    const began = clock.monotonic();
    const deadlineAt = new Date(clock.now() + step.deadlineSeconds * 1000).toISOString();
    let unknownSince: number | null = null;
    let silentSince: number | null = null;
    let said = '';
    for (;;) {
      const started = clock.monotonic();
      const context = this.context(step, began);
      const progress = await this.patiently(() => evaluate(done, context));
      this.showNodes(progress.nodes ?? []);
      const acknowledged = journal.current().acknowledged[step.id];

      if (progress.kind === 'met') return { what: 'finished', outcome: 'met', note: progress.note ?? null };
      if (progress.kind === 'failed') {
        return {
          what: 'pause',
          code: progress.code,
          because: progress.because,
          subjects: progress.subjects,
          choices: ['undo', 'keep-waiting', 'stop'],
        };
      }
      if (progress.kind === 'unknown') {
        unknownSince ??= clock.monotonic();
        const seconds = (clock.monotonic() - unknownSince) / 1000;
        if (acknowledged !== undefined)
          return {
            what: 'finished',
            outcome: 'acknowledged',
            note: `${progress.because} Acknowledged: ${acknowledged}`,
          };
        if (step.act.kind === 'verify') return { what: 'finished', outcome: 'unknown', note: progress.because };
        if (progress.settleSeconds !== undefined && seconds >= progress.settleSeconds) {
          return {
            what: 'finished',
            outcome: 'unknown',
            note: `${progress.because} ${Math.round(progress.settleSeconds)} s were waited instead.`,
          };
        }
        if (progress.settleSeconds === undefined && seconds >= unknownForSeconds) {
          return {
            what: 'pause',
            code: 'unknown',
            because: progress.because,
            subjects: progress.subjects,
            choices: ['acknowledge', 'keep-waiting', 'undo', 'stop'],
          };
        }
      } else unknownSince = null;

      const silent = progress.kind === 'waiting' && progress.operatorSilent === true;
      silentSince = silent ? (silentSince ?? clock.monotonic()) : null;
      if (
        silentSince !== null &&
        step.nudge &&
        (clock.monotonic() - silentSince) / 1000 >= step.nudge.afterSeconds &&
        !this.nudged(step)
      ) {
        await this.journalled([{ what: 'nudged', at: this.now(), seq: step.key.seq, because: step.nudge.because }]);
        this.o.emit({ event: 'log', data: { message: step.nudge.because } });
        const problem = await this.act(step, step.nudge.act);
        if (problem && problem.what !== 'finished') return problem;
      }

      const words = progress.kind === 'waiting' ? progress.awaiting : progress.because;
      const heldUpBy = progress.kind === 'waiting' ? progress.heldUpBy : progress.subjects;
      const saying = JSON.stringify([words, heldUpBy]);
      if (saying !== said) {
        said = saying;
        this.operation(step, 'waiting', { awaiting: words, heldUpBy, deadlineAt });
      }
      if ((clock.monotonic() - began) / 1000 > step.deadlineSeconds) {
        return {
          what: 'pause',
          code: 'deadline',
          because: `${step.title} has taken longer than ${Math.round(step.deadlineSeconds)} s. It waits for ${words}.`,
          subjects: heldUpBy,
          choices: ['keep-waiting', 'undo', 'stop'],
        };
      }
      const asked = await this.question();
      if (asked && asked.what !== 'finished') return asked;
      this.beat();
      // Reading 5,000 nodes takes longer than reading four: the pace follows what a look costs.
      await this.rest(Math.min(15_000, Math.max(1_000, 4 * (clock.monotonic() - started))));
    }
  }

  private nudged(step: Step): boolean {
    return this.o.journal.current().entries.some((entry) => entry.what === 'nudged' && entry.seq === step.key.seq);
  }

  private context(_step: Step, waitStartedAt: number): ConditionContext {
    const { kube, clock, journal, signal } = this.o;
    let facts: Promise<Facts> | null = null;
    const choices = journal.plan.choices;
    const readFacts = () => {
      facts ??= collectFacts({ kube, choices, clock, signal });
      return facts;
    };
    return {
      kube,
      clock,
      signal,
      runStartedAt: Date.parse(journal.current().startedAt),
      waitStartedAt,
      felixResource:
        felixResourceOf(journal.plan.operations.map((operation) => operation.act)) ?? resources.felixConfigurations,
      proofs: this.proofs,
      readFacts,
      recheck: async (check) => {
        const finding = runChecks(await readFacts(), choices, { now: this.now() }).findings.find(
          (one) => one.id === check,
        );
        if (!finding || finding.status === 'pass' || finding.status === 'skipped')
          return { kind: 'met', evidence: finding?.evidence ?? [] };
        if (finding.status === 'unknown')
          return { kind: 'unknown', because: finding.because, subjects: finding.subjects };
        return { kind: 'waiting', awaiting: `check ${check} to pass: ${finding.because}`, heldUpBy: finding.subjects };
      },
    };
  }

  /** What was asked from within, from another process, or by a signal; null when nothing. */
  private async question(): Promise<StepResult | null> {
    const { control, kube, journal, journalNamespace, lease, signal } = this.o;
    if (lease.lost.aborted) return { what: 'lost', because: 'another process holds the Lease' };
    if (signal.aborted) return { what: 'interrupted' };
    const own = control.next();
    if (own) return { what: 'asked', action: own };
    const request = requestOf(
      await this.patiently(() => kube.get(journalRef(journal.current().run, journalNamespace))),
    );
    if (!request || request.id === this.answered) return null;
    this.answered = request.id;
    const taken = request.action !== 'resume';
    await this.journalled([
      {
        what: 'request',
        at: this.now(),
        request: `${request.action} by ${request.by}`,
        answer: taken ? 'taken' : 'the run is already going on',
      },
    ]);
    return taken ? { what: 'asked', action: request.action } : null;
  }

  /** Repeats a read until the cluster answers; says so once, and once more when it is back. */
  private async patiently<T>(read: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        const result = await read();
        if (attempt > 0) this.o.emit({ event: 'log', data: { message: 'The cluster answers again.' } });
        return result;
      } catch (error) {
        if (!isKubeError(error, ...passing)) throw error;
        await this.backOff(error, attempt);
      }
    }
  }

  private async backOff(error: KubeError, attempt: number): Promise<void> {
    if (attempt === 0)
      this.problem(
        'cluster.unreachable',
        `${error.message} The run is kept and goes on when the cluster answers.`,
        [],
        [],
      );
    if (this.o.lease.lost.aborted || this.o.signal.aborted) throw error;
    this.beat();
    await this.rest(Math.min(10_000, 500 * 2 ** attempt) * (0.5 + Math.random() / 2));
  }

  private async journalled(entries: Entry[], state?: RunState): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.o.journal.append(entries, state ? { state } : {});
      } catch (error) {
        if (!isKubeError(error, ...passing)) throw error;
        await this.backOff(error, attempt);
      }
    }
  }

  /** Null as soon as the Lease was renewed within its bounds; else why not. */
  private async mayAct(): Promise<StepResult | null> {
    while (!this.o.lease.mayAct()) {
      if (this.o.lease.lost.aborted) return { what: 'lost', because: 'another process holds the Lease' };
      if (this.o.signal.aborted) return { what: 'interrupted' };
      await this.rest(500);
    }
    return null;
  }

  /** Sleeps, and wakes early when something is asked or the process must end. */
  private async rest(ms: number): Promise<void> {
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, this.o.signal, this.o.lease.lost]);
    await Promise.race([this.o.clock.sleep(ms, signal).catch(() => {}), this.o.control.asked()]);
    stop.abort(new Error('rested'));
  }

  private async finish(step: Step, outcome: 'met' | 'unknown' | 'acknowledged', note: string | null): Promise<void> {
    await this.journalled([{ what: 'finished', ...step.key, at: this.now(), outcome, note }]);
    this.operation(step, 'finished', { note });
    await this.tell(
      'OperationFinished',
      `${step.key.direction === 'undo' ? 'took back' : 'finished'} ${step.id}${note ? ` (${note})` : ''}`,
    );
  }

  private async pause(step: Step, { code, because, subjects, choices }: Pause): Promise<RunOutcome> {
    const meaning = meaningOf(step, step.key.direction);
    const state: RunState = {
      kind: 'paused',
      direction: step.key.direction,
      code,
      because,
      meaning,
      subjects: subjects.slice(0, 50),
      choices,
    };
    await this.journalled([{ what: 'paused', at: this.now(), code, because }], state);
    this.problem(code, `${because} ${meaning}`, subjects, choices);
    await this.tell('RunPaused', because, 'Warning');
    return { kind: 'paused', code, because, choices };
  }

  private async askUndo(by: string): Promise<void> {
    if (directionOf(this.o.journal.current()) === 'undo') return;
    await this.journalled([{ what: 'undo-asked', at: this.now(), by }], { kind: 'running', direction: 'undo' });
    await this.tell('UndoStarted', 'is being taken back', 'Warning');
    const journal = this.o.journal.current();
    this.o.emit({
      event: 'snapshot',
      data: {
        role: 'holder',
        cluster: journal.cluster,
        goal: journal.goal,
        state: journal.state,
        operations: operationLines(this.o.journal.plan, journal),
      },
    });
  }

  private async stop(step: Step): Promise<RunOutcome> {
    const { plan } = this.o.journal;
    const remains = operationLines(plan, this.o.journal.current())
      .filter((line) => line.state === 'finished' || line.state === 'begun')
      .map((line) => `${line.id}: ${line.title}`);
    await this.journalled([{ what: 'ended', at: this.now(), state: 'stopped' }], { kind: 'stopped', remains });
    this.o.emit({ event: 'log', data: { message: `Stopped at ${step.title}. The cluster stays as it is.` } });
    await this.tell('RunEnded', 'was stopped; the cluster stays as it is', 'Warning');
    return { kind: 'stopped', remains };
  }

  private async end(state: { kind: 'done' } | { kind: 'undone' }): Promise<RunOutcome> {
    await this.journalled([{ what: 'ended', at: this.now(), state: state.kind }], state);
    await this.tell('RunEnded', state.kind === 'done' ? 'is done' : 'was taken back');
    return state;
  }

  private operation(
    step: Step,
    state: 'begun' | 'acted' | 'waiting' | 'finished' | 'failed',
    more: { awaiting?: string; heldUpBy?: Subject[]; deadlineAt?: string; note?: string | null } = {},
  ): void {
    this.o.emit({
      event: 'operation',
      data: {
        ...step.key,
        id: step.id,
        title: step.title,
        state,
        awaiting: more.awaiting ?? null,
        heldUpBy: more.heldUpBy ?? [],
        usualSeconds: step.usualSeconds,
        deadlineAt: more.deadlineAt ?? null,
        note: more.note ?? null,
      },
    });
  }

  /** Only nodes whose state changed are told. */
  private showNodes(nodes: readonly NodeState[]): void {
    for (const node of nodes) {
      const said = `${node.state}/${node.detail}`;
      if (this.nodes.get(node.name) === said) continue;
      this.nodes.set(node.name, said);
      this.o.emit({ event: 'node', data: node });
    }
  }

  private problem(code: string, message: string, subjects: Subject[], choices: PauseChoice[]): void {
    this.o.emit({ event: 'problem', data: { code, message, subjects, choices } });
  }

  private beat(): void {
    const now = this.o.clock.monotonic();
    if (now - this.lastBeat < heartbeatMs) return;
    this.lastBeat = now;
    this.o.emit({ event: 'heartbeat', data: {} });
  }

  private async tell(reason: EventReason, message: string, type: 'Normal' | 'Warning' = 'Normal'): Promise<void> {
    await recordEvent(
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

function changedPause(step: Step, changes: Subject[]): Pause {
  return {
    what: 'pause',
    code: 'object.changed',
    because: `${step.title}: something changed since the plan was made. ${changes.map((one) => `${one.kind} ${one.name}: ${one.detail}`).join('; ')}.`,
    subjects: changes,
    choices: ['resume', 'undo', 'stop'],
  };
}

/** The API through which the plan writes FelixConfiguration: the proofs read the same one. */
function felixResourceOf(acts: readonly Act[]) {
  return acts
    .flatMap((act) => (act.kind === 'merge-patch' || act.kind === 'apply' ? [act.target.resource] : []))
    .find((resource) => resource.kind === 'FelixConfiguration');
}
