import { messageOf } from '#lib/base/message-of.ts';
import { isFlowError, mayPass } from '#lib/flows/flow-error.ts';
import { type Flow, flowSize } from '#lib/flows/in-browser.ts';
import type { FlowHistory, FollowedFlow } from '#lib/flows/index.ts';
import { type Kube, systemClock } from '#lib/kube/index.ts';
import { visibleData } from '#lib/text/index.ts';
import { foldFlows } from '../fold/fold-flows.ts';
import { failureOf } from '../host/failures.ts';
import type { FlowsEvent, FlowsView } from '../wire.ts';
import type { ClusterAccess } from './access.ts';
import { Feed } from './feed.ts';

/** How far back the first page looks. */
const sinceSeconds = 15 * 60;
/** Less than the hour that an aggregator keeps. */
const mostSeconds = 59 * 60;
/** Flows come in bursts of thousands: they are sent together. */
const togetherMs = 250;
/** How long to wait before a history that could not be opened is tried again. */
const askAgainMs = 60_000;
/** How long a stream waits to start where its history ends; then it shows flows without it. */
const patienceMs = 5_000;
const mostTogether = 500;
/** Far smaller than what the ring keeps: otherwise every follower would get the whole view again. */
const mostCharactersTogether = 500_000;

/** The flows of a cluster as this console follows them: one stream for all, whatever they filter. */
export class FlowFeed {
  readonly feed: Feed<FlowsView, FlowsEvent>;
  private readonly log: (line: string, cause?: unknown) => void;
  /** Why there is no view. */
  failure: unknown = null;
  private readonly history: (kube: Kube) => Promise<FlowHistory | null>;
  private readonly onReach: (reach: 'connected' | 'refused') => void;

  /** `history`: where followed flows are kept. `onReach`: called once flows come, or will not come by waiting. */
  constructor(
    openedMs: number,
    log: (line: string, cause?: unknown) => void,
    history: (kube: Kube) => Promise<FlowHistory | null> = async () => null,
    onReach: (reach: 'connected' | 'refused') => void = () => undefined,
  ) {
    this.log = log;
    this.history = history;
    this.onReach = onReach;
    // An hour of a busy cluster is not kept for followers who were away: they get a new view.
    this.feed = new Feed(foldFlows, openedMs, { events: 2_000, characters: 4_000_000 });
  }

  async follow({ kube, name }: ClusterAccess, signal: AbortSignal): Promise<void> {
    // Loads gRPC with the first page of flows, so that a console without one starts without it.
    const { everyFlow, followFlows, openFlowClient } = await import('#lib/flows/index.ts');
    let askedMs = 0;
    let lastReason: string | null = null;
    // After a connection another cluster may answer at the same address, and a history that could not be opened may open now.
    const reopened = async (current: FlowHistory | null) => {
      const found = await this.history(kube).catch((error: unknown) => {
        const because = messageOf(error);
        if (because !== lastReason) this.log('the history of flows was not opened', error);
        lastReason = because;
        return current;
      });
      askedMs = systemClock.monotonic();
      if (found !== current) await current?.left();
      return found;
    };
    let history: FlowHistory | null = null;
    let connection: FollowedFlow | null = null;
    let opening: Promise<void> | null = null;
    let isStale = false;
    let isOver = false;
    /** Flows that come meanwhile are a gap in the history. */
    const openBeside = (): Promise<void> => {
      isStale = opening !== null;
      opening ??= reopened(null).then(async (found) => {
        opening = null;
        // The feed has ended: nobody else would release the history.
        if (isOver || signal.aborted) return found?.left();
        if (isStale) return openBeside();
        history = found;
        if (connection !== null) await found?.take(connection);
      });
      return opening;
    };
    await Promise.race([openBeside(), systemClock.sleep(patienceMs, signal).catch(() => undefined)]);
    let together: Flow[] = [];
    let size = 0;
    const tell = () => {
      const flows = together;
      together = [];
      size = 0;
      if (flows.length > 0) this.feed.publish(() => ({ event: 'flows', data: { flows: visibleData(flows) } }));
    };
    const timer = setInterval(tell, togetherMs);
    timer.unref();
    const events = followFlows({
      open: (stop) => openFlowClient(kube, stop),
      filter: everyFlow,
      sinceSeconds: sinceOf(history),
      clock: systemClock,
      signal,
    });
    try {
      for await (const event of events) {
        // If the history cannot be written as fast, flows are read more slowly; if it cannot be written at all, it is left out.
        const had: FlowHistory | null = history;
        if (event.type === 'connected') {
          connection = event;
          if (had === null) void openBeside();
          else history = await reopened(had);
        } else if (had === null && opening === null && systemClock.monotonic() - askedMs > askAgainMs)
          void openBeside();
        await (history as FlowHistory | null)?.take(event);
        if (event.type === 'connected') this.connected(name);
        else if (event.type === 'gap') this.feed.publish(() => ({ event: 'gap', data: { since: event.since } }));
        else if (event.type === 'interrupted') this.interrupted(event.error);
        else {
          size += flowSize(event.flow);
          if (together.push(event.flow) >= mostTogether || size >= mostCharactersTogether) tell();
        }
      }
    } finally {
      clearInterval(timer);
      tell();
      isOver = true;
      await (history as FlowHistory | null)?.left();
    }
  }

  failed(error: unknown): void {
    this.failure = error;
    if (isFlowError(error) && !mayPass(error)) this.onReach('refused');
    const known = failureOf(error);
    if (known === null) this.log('following flows failed', error);
    const message = known?.message ?? (error instanceof Error ? error.message : 'Flows cannot be followed.');
    this.lost(message, known?.code ?? 'fault');
  }

  /** Whoever waits for the first view learns at once why there is none. */
  private interrupted(error: Error): void {
    if (this.feed.view === null) this.failure = error;
    this.lost(error.message, 'flows.interrupted');
  }

  private connected(cluster: string): void {
    this.failure = null;
    this.onReach('connected');
    const { view } = this.feed;
    if (view === null) this.feed.snapshot((revision) => ({ revision, cluster, flows: [], gaps: [], stale: null }));
    else if (view.stale) this.feed.snapshot((revision) => ({ ...view, revision, stale: null }));
  }

  private lost(message: string, code: string): void {
    const since = this.feed.view?.stale?.since ?? new Date().toISOString();
    const event: FlowsEvent = {
      event: 'problem',
      data: { code, message: visibleData(message), since, retryable: true },
    };
    if (this.feed.view === null) this.feed.complain(event);
    else if (this.feed.view.stale?.message !== message) this.feed.publish(() => event);
  }
}

/** Where the history ends, if the aggregator still has that. */
function sinceOf(history: FlowHistory | null): number {
  const newest = history?.newest() ?? null;
  if (newest === null) return sinceSeconds;
  return Math.min(mostSeconds, Math.max(sinceSeconds, Math.ceil(Date.now() / 1000 - newest) + 60));
}
