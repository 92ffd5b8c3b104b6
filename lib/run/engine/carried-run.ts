import type { Subject } from '#lib/facts/index.ts';
import type { Clock, Kube, KubeObject } from '#lib/kube/index.ts';
import type { Condition } from '#lib/plan/index.ts';
import { type ObjectRef, objectId } from '#lib/spec/index.ts';
import type { Manifests } from '../acts/manifest-acts.ts';
import { type ConditionContext, conditionContext, felixResourceOf } from '../conditions/context.ts';
import { evaluate } from '../conditions/evaluate.ts';
import type { Progress } from '../conditions/progress.ts';
import { JournalGone, type OpenJournal } from '../journal/journal-store.ts';
import type { Emit } from '../model/event.ts';
import type { Entry, RunState, StepKey } from '../model/journal.ts';
import { journalRef } from '../model/read-journal.ts';
import { RunServices } from '../services/run-services.ts';
import { ApiRetry } from './api-retry.ts';
import type { RunControl } from './control.ts';
import { answerTo, decide } from './decide.ts';
import type { Call, JournalState, Next, Observation } from './decision.ts';
import type { HeldLease } from './lease.ts';
import { reconcilerMarks } from './reconciler-marks.ts';
import { type Request, requestOf } from './requests.ts';
import { restoreJournal } from './restore-journal.ts';
import { RunEvents } from './run-events.ts';

const marksEveryMs = 10_000;

export type CarriedRunOptions = {
  kube: Kube;
  clock: Clock;
  journal: OpenJournal;
  journalNamespace: string;
  lease: HeldLease;
  /** This process, as the journal names it. */
  holder: string;
  control: RunControl;
  /** Files of releases. If absent, a step that needs one pauses the run. */
  manifests?: Manifests | undefined;
  emit: Emit;
  random?: (() => number) | undefined;
  /** SIGTERM: the act in flight is finished and journalled; the next process does the rest. */
  signal: AbortSignal;
};

/**
 * A run that this process carries: what each step reads, writes and hears. The journal alone holds the truth about the run; nothing here outlives the
 * process.
 */
export class CarriedRun {
  readonly o: CarriedRunOptions;
  readonly events: RunEvents;
  readonly retry: ApiRetry;
  readonly services: RunServices;
  private readonly proofs: ConditionContext['proofs'] = new Map();
  /** Id of the last request that was answered. */
  private lastAnswered: string | null = null;
  private marksAt = Number.NEGATIVE_INFINITY;
  /** UIDs, by objectId, of what the current act has created. The journal gets them with the act. */
  private made: Record<string, string> = {};

  constructor(options: CarriedRunOptions) {
    this.o = options;
    this.events = new RunEvents(options.emit, options.clock, options.journal.current());
    this.retry = new ApiRetry({ ...options, events: this.events });
    const before = options.journal.current().services ?? null;
    this.services = new RunServices({ ...options, events: this.events }, before);
  }

  get state(): JournalState {
    return { plan: this.o.journal.plan, journal: this.o.journal.current() };
  }

  decide(observation: Observation): Next {
    return decide(this.state, observation);
  }

  now(): string {
    return new Date(this.o.clock.now()).toISOString();
  }

  async look(condition: Condition): Promise<Progress> {
    const { kube, clock, journal, signal } = this.o;
    const runStartedAt = Date.parse(journal.current().startedAt);
    // Reads the reports of the nodes again: while a large journal is written, the last ones may become too old to count.
    if (condition.kind === 'services-answer') await this.services.look('due');
    const progress = await this.retry.until(() =>
      evaluate(
        condition,
        conditionContext({
          kube,
          clock,
          signal,
          plan: journal.plan,
          runStartedAt,
          journal: journal.current(),
          proofs: this.proofs,
          services: this.services.current(),
        }),
      ),
    );
    this.events.changedNodes(progress.nodes ?? []);
    return progress;
  }

  hasMade(target: ObjectRef, { metadata: { uid } }: KubeObject): void {
    if (uid !== undefined) this.made[objectId(target)] = uid;
  }

  async writeActed(key: StepKey): Promise<void> {
    const made = Object.keys(this.made).length === 0 ? {} : { made: this.made };
    await this.write([{ what: 'acted', ...key, at: this.now(), ...made }]);
    this.made = {};
  }

  /** Tools whose marks are on objects that this run has written. Reads the marks every 10 s at most, and returns none in between. */
  async reconcilers(): Promise<Subject[]> {
    const { clock, kube, journal, signal } = this.o;
    if (clock.monotonic() - this.marksAt < marksEveryMs) return [];
    this.marksAt = clock.monotonic();
    const felix = felixResourceOf(journal.plan);
    return this.retry.until(() => reconcilerMarks(kube, journal.plan, journal.current(), felix, signal));
  }

  /** Ignores a request that was made before this process took the run over: it was meant for the earlier holder. */
  async skipEarlierRequest(): Promise<void> {
    this.lastAnswered = (await this.request())?.id ?? null;
  }

  /** The next request, from this process, from another one, or as a signal; null if there is none. */
  async listen(): Promise<Call | null> {
    const { control } = this.o;
    const call = this.interruption();
    if (call) return call;
    await this.services.look('due');
    const own = control.next();
    if (own) return { kind: 'asked', action: own, by: this.o.holder };
    const request = await this.request();
    if (!request || request.id === this.lastAnswered) return null;
    this.lastAnswered = request.id;
    const { taken, answer } = answerTo(this.state, request.action);
    await this.write([{ what: 'request', at: this.now(), request: `${request.action} by ${request.by}`, answer }]);
    return taken ? { kind: 'asked', action: request.action, by: request.by } : null;
  }

  /** Why this process must stop carrying the run; null while it may go on. */
  interruption(): Call | null {
    const { lease, signal } = this.o;
    if (lease.lost.aborted) return { kind: 'lease-lost' };
    if (signal.aborted) return { kind: 'interrupted' };
    const refusal = lease.refusal();
    return refusal ? { kind: 'lease-refused', code: refusal.code, message: refusal.message } : null;
  }

  private request(): Promise<Request | null> {
    const { kube, journal, journalNamespace } = this.o;
    return this.retry.until(async () => {
      const object = await kube.get(journalRef(journal.current().run, journalNamespace));
      if (object === null) await this.restore();
      return requestOf(object);
    });
  }

  async write(added: Entry[], state?: RunState): Promise<void> {
    const { journal } = this.o;
    const entries = this.events.withSeen(added);
    const services = this.services.unwritten();
    for (;;) {
      try {
        await this.retry.until(() => journal.append(entries, { ...(state && { state }), ...services }));
        return this.events.copied(journal.uncopied());
      } catch (error) {
        if (!(error instanceof JournalGone)) throw error;
        await this.restore();
      }
    }
  }

  private restore(): Promise<void> {
    return restoreJournal({ ...this.o, namespace: this.o.journalNamespace, retry: this.retry, events: this.events });
  }
}
