import { agreeing, counted, thousands } from '#lib/base/words.ts';
import { type Clock, isKubeError, type Kube, type ServiceWatch } from '#lib/kube/index.ts';
import { allowedGapMs, isClusterService, type JournalNamespaces } from '#lib/spec/index.ts';
import type { Call, JournalState } from '../engine/decision.ts';
import type { RunEvents } from '../engine/run-events.ts';
import { listRuns } from '../journal/list-runs.ts';
import { type Step, stepsOf } from '../model/steps.ts';
import {
  beforeAnyAct,
  noServices,
  type OpenGap,
  openGaps,
  type ServicesWatched,
  takenOver,
  withAskingNodes,
  withFaults,
  withMissed,
  withReadings,
} from './services.ts';
import { askedNodes } from './services-in-words.ts';

const readEveryMs = 2_000;
/** How long a process waits once for the first answers of nodes: the image is there, and pods start in seconds. */
const beginsWithinMs = 30_000;
/** How long the end of a run waits for the pods to go. A process that must end has less time. */
const goesWithin = { usual: 20_000, interrupted: 2_000 } as const;

export type RunServicesOptions = { kube: Kube; clock: Clock; events: RunEvents; signal: AbortSignal };

/**
 * Watches how Services answer on each node while a run changes what carries their traffic: from before the first such step to the end of this
 * process's part in the run. A failure of the watch is reported once and never stops the run.
 */
export class RunServices {
  private readonly o: RunServicesOptions;
  private watch: ServiceWatch | null = null;
  private watched: ServicesWatched | null;
  /** What the journal contains. */
  private written: ServicesWatched | null;
  private isOver = false;
  private hasWaited = false;
  private readAt = Number.NEGATIVE_INFINITY;

  /** `before`: what the journal says about the time before this process. */
  constructor(options: RunServicesOptions, before: ServicesWatched | null) {
    this.o = options;
    this.watched = before && takenOver(before, options.clock.now());
    this.written = before;
  }

  /** What is known so far; null if nothing was ever asked. */
  current(): ServicesWatched | null {
    return this.watched;
  }

  /** The change for the journal; empty if it has everything. */
  unwritten(): { services?: ServicesWatched } {
    if (this.watched === null || this.watched === this.written) return {};
    this.written = this.watched;
    return { services: this.watched };
  }

  /**
   * Called before a step begins or continues. Returns a request that came meanwhile, or why this process may not go on. `to`: what comes next; an act
   * on traffic, and a verification of Services, wait for answers of nodes.
   */
  async before(
    step: Step,
    state: JournalState,
    { to, listen }: { to: 'act' | 'wait'; listen: () => Promise<Call | null> },
  ): Promise<Call | null> {
    if (state.plan.choices.watchServices !== true || this.isOver || !isWatched(step, state)) return null;
    if (this.watch === null) await this.begin();
    const isOwed = (to === 'act' && step.effect === 'traffic') || step.done.kind === 'services-answer';
    if (!isOwed || this.hasWaited) return null;
    this.hasWaited = true;
    return this.untilAllReport(listen);
  }

  private async begin(): Promise<void> {
    const { kube, clock, events, signal } = this.o;
    try {
      if (kube.services === undefined) return this.giveUp('Services cannot be tested from the nodes of this cluster.');
      this.watch = await kube.services.watch({ signal });
      const { intervalMs, nodes, of } = this.watch;
      this.watched =
        this.watched === null ? noServices(clock.now(), this.watch) : withAskingNodes(this.watched, this.watch);
      const from = askedNodes({ asked: nodes.length, of });
      events.log(
        `Services are asked from ${from}, every ${intervalMs} ms. Pods for that are in a namespace of their own until the end.`,
      );
    } catch (error) {
      if (!isKubeError(error) || signal.aborted) throw error;
      this.giveUp(error.message);
    }
  }

  /** Reported once: the run goes on without a watch. */
  private giveUp(because: string): void {
    this.isOver = true;
    if (this.watched !== null) this.watched = withMissed(this.watched, because);
    this.o.events.log(`Gaps of Services are not measured: ${because}`);
  }

  private async untilAllReport(listen: () => Promise<Call | null>): Promise<Call | null> {
    const { clock, events, signal } = this.o;
    const isFirst = this.written === null;
    const deadline = clock.monotonic() + beginsWithinMs;
    while (this.silent().length > 0 && clock.monotonic() < deadline) {
      const call = await listen();
      if (call !== null) return call;
      await clock.sleep(1_000, signal).catch(() => {});
      await this.look('now');
    }
    const silent = this.silent();
    const [first] = silent;
    if (first !== undefined)
      events.log(
        `${thousands(silent.length)} of ${counted(this.watch?.nodes.length ?? 0, 'node')} ${agreeing(silent.length, 'sends no report about its', 'send no report about their')} Services; the run continues without ${agreeing(silent.length, 'it', 'them')}. ${first.node}: ${first.fault ?? 'its pod has said nothing yet'}.`,
      );
    if (isFirst && this.watched !== null) this.watched = beforeAnyAct(this.watched);
    return null;
  }

  /** Nodes that ask Services and have not reported to this process yet. */
  private silent(): ServicesWatched['nodes'] {
    if (this.watch === null || this.watched === null || this.isOver) return [];
    const asking = new Set(this.watch.nodes);
    return this.watched.nodes.filter(
      ({ node, kinds }) => asking.has(node) && !kinds.some(({ heardAt }) => heardAt !== undefined),
    );
  }

  /** Reads new answers; at most every 2 s, unless `now`. */
  async look(when: 'due' | 'now'): Promise<void> {
    const { clock, events, signal } = this.o;
    if (this.watch === null || this.watched === null || this.isOver) return;
    if (when === 'due' && clock.monotonic() - this.readAt < readEveryMs) return;
    this.readAt = clock.monotonic();
    try {
      const readings = await this.watch.read({ signal });
      const faults = this.watch.faults?.() ?? new Map<string, string>();
      this.watched = withFaults(withReadings(this.watched, readings, clock.now()), faults);
      events.services(this.watched);
    } catch (error) {
      if (!isKubeError(error)) throw error;
      // While the API server is away the pods go on measuring, and report afterwards.
      if (isKubeError(error, 'not-found', 'forbidden')) this.giveUp(error.message);
    }
  }

  /** A gap in the cluster's own Services that is longer than a step may cause; null: none. */
  tooLong(): OpenGap | null {
    if (this.watched === null || this.isOver) return null;
    return openGaps(this.watched).find(({ kind, ms }) => isClusterService(kind) && ms > allowedGapMs) ?? null;
  }

  /** Deletes what this process created, whatever happened, and nothing else: if it has lost the Lease, its successor uses its own. */
  async end(): Promise<void> {
    const { clock, events, signal } = this.o;
    if (this.watch === null) return;
    const going = this.watch.end();
    this.watch = null;
    const within = signal.aborted ? goesWithin.interrupted : goesWithin.usual;
    const left = await Promise.race([going, clock.sleep(within).then(() => null)]);
    if (left !== null) events.log(left);
  }
}

/** Deletes what a killed process left. Only for the holder of the Lease, as no other process watches then. */
export async function sweepServices(kube: Kube): Promise<void> {
  await kube.services?.sweep({ signal: AbortSignal.timeout(goesWithin.usual) }).catch(() => {});
}

/**
 * Deletes what a killed process left, without a Lease, if no run is under way. Objects that a run creates meanwhile are not those that were read, and
 * stay.
 */
export async function sweepLeftServices(kube: Kube, namespaces: JournalNamespaces): Promise<void> {
  const isLeft = async () => (await listRuns(kube, namespaces)).every(({ state }) => state.kind !== 'running');
  await kube.services?.sweep({ signal: AbortSignal.timeout(goesWithin.usual), isLeft }).catch(() => {});
}

/** True from the step before the first one that touches traffic. A run without such steps watches nothing. */
function isWatched(step: Step, { plan, journal }: JournalState): boolean {
  const steps = stepsOf(plan, journal, step.key.direction);
  const first = steps.findIndex(({ effect }) => effect === 'traffic');
  const index = steps.findIndex(({ key }) => key.seq === step.key.seq);
  return first >= 0 && index >= first - 1;
}
