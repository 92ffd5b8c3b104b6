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
  /** The cluster's UID. */
  readonly cluster: string;
  readonly keptSeconds: number;
  /** Whether it goes on where an earlier collector ended, so that nothing is missing but what is said. */
  readonly goesOn: boolean;
  /** Seconds since the epoch. */
  now(): number;
  /** In place of the server, for tests. */
  open?(): Promise<SharedEngine>;
};

const tendSeconds = 60;
const oddTimes = 'they begin more than an hour from now, or before all that is kept';

/** A history in ClickHouse that others read. What comes again after a kill, or from a second collector, is there once. */
export function clickHouseSink(options: ClickHouseSinkOptions): Sink {
  const { access, cluster, keptSeconds, now } = options;
  const open = options.open ?? (async () => openClickHouse(await openDatabase(access), { cluster, keptSeconds }));
  let engine: SharedEngine | null = null;
  let span: RecordedSpan | null = null;
  let isGap = !options.goesOn;
  let tendedAt = now();

  const isOfItsTime = ({ start }: Flow) => start > now() - keptSeconds && start < now() + historySeconds;
  const reached = async (): Promise<SharedEngine> => {
    if (engine !== null) return engine;
    const opened = await open();
    span = (await opened.spans()).at(-1) ?? null;
    engine = opened;
    return opened;
  };
  /** Floors move by what was told: a clock that is wrong removes nothing. */
  const tend = async (opened: SharedEngine) => {
    if (span === null || now() - tendedAt < tendSeconds) return;
    await opened.rollUp(Math.min(span.until, now() + historySeconds), historyTiers(keptSeconds));
    tendedAt = now();
  };

  return {
    take: async (batch) => {
      try {
        const opened = await reached();
        let [next, gap]: [RecordedSpan | null, boolean] = [span, isGap];
        const flows: Flow[] = [];
        let refused = 0;
        for (const record of batch) {
          if (record.type === 'lost') gap = true;
          else if (!isOfItsTime(record.flow)) refused++;
          else {
            flows.push(record.flow);
            const before = next;
            next = spanWith(
              next,
              record.flow,
              !gap && (next === null || record.flow.start - next.until < historySeconds),
            );
            if (next.since !== before?.since) gap = false;
          }
        }
        if (flows.length > 0)
          await opened.append(
            flows.map((flow) => ({ flow, again: true })),
            next,
          );
        [span, isGap] = [next, gap];
        await tend(opened);
        return { refused, because: refused === 0 ? '' : oddTimes };
      } catch (error) {
        if (error instanceof ClickHouseFault) throw new SinkError(error.kind, error.message, { cause: error });
        throw error;
      }
    },
    close: async () => engine?.close(),
  };
}
