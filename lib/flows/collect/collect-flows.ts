import { backOffMs } from '#lib/base/async/back-off.ts';
import type { FlowClient } from '../client/flow-client.ts';
import { type FollowedFlow, type FollowOptions, followFlows } from '../client/follow-flows.ts';
import { resumeFrom } from '../client/resume.ts';
import { type Flow, historySeconds } from '../flow.ts';
import { type PossibleGap, type Sink, SinkError } from './collected.ts';
import { inBatches } from './in-batches.ts';
import type { Position } from './position.ts';

/** Events of a collector. `waiting`: the sink takes no flows at present. */
export type CollectorNews =
  | { readonly type: 'connected'; readonly goesOnAt: number | null }
  | PossibleGap
  | { readonly type: 'refused'; readonly count: number; readonly because: string }
  | { readonly type: 'interrupted' | 'waiting'; readonly error: Error; readonly retryInMs: number };

export type CollectOptions = Pick<FollowOptions, 'filter' | 'sinceSeconds' | 'clock' | 'signal' | 'random'> & {
  open(signal: AbortSignal): Promise<FlowClient>;
  /** Whether a flow of the aggregator is to be collected. */
  wanted(flow: Flow): boolean;
  sink: Sink;
  /** The position at which an earlier collector ended; null: begin `sinceSeconds` back. */
  position: Position | null;
  /** Resolves once the position is on the disk. */
  save(position: Position): Promise<void>;
  /** Seconds since the epoch by this machine's clock. */
  now(): number;
  tell(news: CollectorNews): void;
  /** In tests only. */
  batches?: { readonly most: number; readonly waitMs: number };
  saveEverySeconds?: number;
};

const usualBatches = { most: 1_000, waitMs: 1_000 };
const usualSaveSeconds = 5;
const retries = { firstMs: 1_000, mostMs: 60_000, least: 0.5 };

/**
 * Passes a cluster's flows to the sink until the signal aborts: each once, except that after a kill those of the last seconds come again with the
 * same ids. Flows that the sink does not take are not held here: the aggregator keeps an hour and is asked again from there. Time for which that does
 * not suffice is reported, and passed on as a record among the flows. Rejects with errors that do not go away by waiting. Resolves with the number of
 * flows that were passed on.
 */
export async function collectFlows(options: CollectOptions): Promise<number> {
  const { open, wanted, sink, save, now, tell, signal, clock, sinceSeconds, filter } = options;
  const { batches = usualBatches, saveEverySeconds = usualSaveSeconds, random = Math.random } = options;
  const taken = resumeFrom(sinceSeconds, options.position?.remembered);
  /** The position up to which nothing is missing, or what is missing was passed on as a record. */
  let reached: Pick<Position, 'process' | 'at'> | null = options.position;
  let savedAt = Number.NEGATIVE_INFINITY;
  let count = 0;
  let failed = 0;

  const keep = async (when: 'due' | 'at once') => {
    if (reached === null || (when === 'due' && now() - savedAt < saveEverySeconds)) return;
    savedAt = now();
    await save({ version: 1, process: reached.process, at: reached.at, remembered: taken.remembered() });
  };

  const follow = async (events: AsyncIterator<FollowedFlow>) => {
    let process: string | null = null;
    /** A loss that was found. The first flow after it tells when it ends. */
    let missing: Pick<PossibleGap, 'since' | 'because'> | null = null;
    const handOn = async (flows: readonly Flow[]) => {
      const [first] = flows;
      const lost: PossibleGap[] =
        missing === null || first === undefined
          ? []
          : [{ type: 'lost', ...missing, until: Math.max(missing.since, first.start) }];
      const matching = flows.filter(wanted).map((flow) => ({ type: 'flow' as const, flow }));
      const records = [...lost, ...matching];
      if (records.length > 0) {
        const { refused, because } = await sink.take(records);
        failed = 0;
        count += matching.length - refused;
        for (const one of lost) tell(one);
        if (refused > 0) tell({ type: 'refused', count: refused, because });
      }
      for (const flow of flows) taken.take(flow);
      if (lost.length > 0) missing = null;
      if (process !== null && missing === null) reached = { process, at: now() };
    };
    for await (const batch of inBatches(events, batches)) {
      const flows: Flow[] = [];
      for (const event of batch) {
        if ('flow' in event) {
          flows.push(event.flow);
          continue;
        }
        await handOn(flows.splice(0));
        if (event.type === 'gap') missing ??= { since: event.since, because: replaced };
        else if (event.type === 'interrupted') {
          process = null;
          tell(event);
        } else {
          const goesOnAt = taken.newestEnd();
          if (reached !== null && goesOnAt !== null && now() - reached.at > historySeconds)
            missing ??= { since: goesOnAt, because: tooLate };
          process = event.process;
          tell({ type: 'connected', goesOnAt });
        }
      }
      await handOn(flows);
      await keep('due');
    }
  };

  while (!signal.aborted) {
    const attempt = new AbortController();
    const events = followFlows({
      open,
      filter,
      sinceSeconds,
      clock,
      random,
      after: reached === null ? null : { process: reached.process, remembered: taken.remembered() },
      signal: AbortSignal.any([signal, attempt.signal]),
    });
    try {
      await sink.open?.();
      await follow(events);
    } catch (error) {
      if (!(error instanceof SinkError) || error.kind === 'ends') throw error;
      // The flows of the failed batch are requested again, because none was marked as taken.
      if (signal.aborted) return count;
      const retryInMs = Math.max(error.retryInMs ?? 0, backOffMs(failed++, retries, random));
      tell({ type: 'waiting', error, retryInMs });
      attempt.abort();
      await clock.sleep(retryInMs, signal).catch(() => undefined);
    } finally {
      attempt.abort();
      await events.return(undefined).catch(() => undefined);
      await keep('at once');
    }
  }
  return count;
}

const replaced = 'the aggregator was replaced before it had sent them';
const tooLate = 'the aggregator keeps one hour, and was not read for longer';
