import { backOffMs } from '#lib/base/async/back-off.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { duration } from '#lib/base/words.ts';
import { systemClock } from '#lib/kube/index.ts';
import { type Flow, historySeconds } from '../flow.ts';
import type { RecordedSpan } from '../history/history-engine.ts';
import { historyTiers } from '../history/history-tiers.ts';
import { spanWith } from '../history/recorded-time.ts';
import {
  type ClickHouseAccess,
  ClickHouseFault,
  openClickHouse,
  openDatabase,
  type SharedEngine,
} from '../history/sql/clickhouse/index.ts';
import { type Sink, SinkError } from './collected.ts';

export type ClickHouseSinkOptions = {
  readonly access: ClickHouseAccess;
  /** The UID of the cluster. */
  readonly cluster: string;
  readonly keptSeconds: number;
  /** Whether it continues where an earlier collector ended, so that only what it reports as lost is missing. */
  readonly goesOn: boolean;
  /** In seconds since the epoch. */
  now(): number;
  /** Prints a message about failures other than of flows. */
  tell(line: string): void;
  /** In tests only. */
  tendMs?: number;
  /** Replaces the server in tests. */
  open?(): Promise<SharedEngine>;
};

const usualTendMs = 60_000;
const mostTendMs = 3_600_000;
const removeEveryMs = 6 * 3_600_000;
const oddTimes = 'they begin more than an hour from now, or before all that is kept';

/** A shared history in ClickHouse. Flows that arrive again, after a kill or from a second collector, are stored once. */
export function clickHouseSink(options: ClickHouseSinkOptions): Sink {
  const { access, cluster, keptSeconds, now, tell, tendMs = usualTendMs } = options;
  const open = options.open ?? (async () => openClickHouse(await openDatabase(access), { cluster, keptSeconds, now }));
  let engine: SharedEngine | null = null;
  let span: RecordedSpan | null = null;
  let isGap = !options.goesOn;
  const stop = new AbortController();
  let tending: Promise<unknown> = Promise.resolve();

  const isOfItsTime = ({ start }: Flow) => start > now() - keptSeconds && start < now() + historySeconds;
  /** The roll-up advances with the flows' own time, limited so that a wrong clock does not advance it too far. */
  const rollUp = async (opened: SharedEngine) => {
    if (span !== null) await opened.rollUp(Math.min(span.until, now() + historySeconds), historyTiers(keptSeconds));
  };
  /** Maintenance runs while flows are taken, and its failures do not stop them. */
  const tend = (opened: SharedEngine) =>
    Promise.all([
      again('Older flows were not added up', tendMs, () => rollUp(opened)),
      again('Flows that were added up were not removed, and stay as long as the rest', removeEveryMs, () =>
        opened.removeFiner(),
      ),
    ]);
  const again = async (failure: string, everyMs: number, work: () => Promise<void>) => {
    let failed = 0;
    let lastReason = '';
    for (let waitMs = tendMs; await slept(waitMs, stop.signal); ) {
      try {
        await work();
        [failed, lastReason, waitMs] = [0, '', everyMs];
      } catch (error) {
        if (stop.signal.aborted) return;
        waitMs = backOffMs(
          failed++,
          { firstMs: everyMs, mostMs: Math.max(everyMs, mostTendMs), least: 1 },
          Math.random,
        );
        const because = messageOf(error);
        if (because !== lastReason) tell(`${failure}: ${because} Trying again in ${duration(waitMs / 1000)}.`);
        lastReason = because;
      }
    }
  };
  const reached = async (): Promise<SharedEngine> => {
    if (engine !== null) return engine;
    const opened = await open();
    try {
      const last = (await opened.spans()).at(-1) ?? null;
      // From now on the span grows with this collector's flows.
      span = last && { since: last.until, until: last.until };
    } catch (error) {
      await opened.close();
      throw error;
    }
    engine = opened;
    tending = tend(opened);
    return opened;
  };
  /** Rejects with a SinkError. */
  const asSink = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ClickHouseFault) throw new SinkError(error.kind, error.message, { cause: error });
      throw error;
    }
  };

  return {
    open: () => asSink(async () => void (await reached())),
    take: (batch) =>
      asSink(async () => {
        const opened = await reached();
        let [next, gap]: [RecordedSpan | null, boolean] = [span, isGap];
        let flows: Flow[] = [];
        let refused = 0;
        const append = async () => {
          if (flows.length > 0)
            await opened.append(
              flows.map((flow) => ({ flow, again: true })),
              next,
            );
          flows = [];
        };
        for (const record of batch) {
          if (record.type === 'lost') gap = true;
          else if (!isOfItsTime(record.flow)) {
            refused++;
            // The flow's real time is unknown.
            gap = true;
          } else {
            const goesOn = !gap && (next === null || record.flow.start - next.until < historySeconds);
            const after = spanWith(next, record.flow, goesOn);
            // Each span is stored together with its own flows.
            if (after.since !== next?.since) {
              await append();
              gap = false;
            }
            next = after;
            flows.push(record.flow);
          }
        }
        await append();
        [span, isGap] = [next, gap];
        return { refused, because: refused === 0 ? '' : oddTimes };
      }),
    close: async () => {
      stop.abort();
      await engine?.close();
      await tending;
    },
  };
}

/** Whether the sleep ended by itself, not by the signal. */
async function slept(ms: number, signal: AbortSignal): Promise<boolean> {
  return systemClock.sleep(ms, signal).then(
    () => true,
    () => false,
  );
}
