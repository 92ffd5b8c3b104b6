import { bucketSeconds, type Flow, type TimeRange } from '../flow.ts';
import type { FlowFilter } from '../flow-filter.ts';
import { bucketOf, FlowBuckets, idOf } from './flow-buckets.ts';
import { type HintType, hintsOf } from './hints.ts';
import { matchesFilter } from './matches-filter.ts';
import { noQuirks, type QuirkId } from './quirks.ts';
import { type PolicyStatistics, type StatisticsQuestion, statisticsOf } from './statistics.ts';

/** Calico's own limits: the number of streams, and of flows that wait in one for its reader (calico.md §6.3). */
const mostStreams = 100;
const mostWaiting = 5_000;

/** Why a request is refused: `invalid`: its own content; `exhausted`: too many other clients. */
export class AggregatorRefusal extends Error {
  readonly code: 'invalid' | 'exhausted';

  constructor(code: 'invalid' | 'exhausted', message: string) {
    super(message);
    this.code = code;
  }
}

export type NumberedFlow = { readonly id: number; readonly flow: Omit<Flow, 'id'> };

/** The flows of one stream, in order. `next` waits for a flow; null once the stream is closed. */
export type FlowStream = { next(): Promise<NumberedFlow | null>; close(): void };

/** `read`: how many of `waiting` were taken. They are dropped together, because shifting the rest each time would cost more. */
type OpenStream = {
  filter: FlowFilter;
  waiting: NumberedFlow[];
  read: number;
  wake: (() => void) | null;
  closed: boolean;
};

/**
 * Sums up flows, keeps an hour of them in memory and answers requests for them, as Goldmane does (calico.md §6.3). The caller drives the time: it
 * calls `turn` about once a second, which sends the buckets that are due to all streams.
 */
export class Aggregator {
  readonly #buckets: FlowBuckets;
  readonly #now: () => number;
  readonly #quirks: ReadonlySet<QuirkId>;
  readonly #streams = new Set<OpenStream>();

  /** `now` returns seconds since the epoch. */
  constructor(now: () => number, quirks: ReadonlySet<QuirkId> = noQuirks) {
    this.#now = now;
    this.#quirks = quirks;
    this.#buckets = new FlowBuckets(now());
  }

  /** The number of reports that were dropped: older than an hour, ahead of the clock, or too many. */
  get leftOut(): number {
    return this.#buckets.leftOut;
  }

  add(update: Omit<Flow, 'id'>): void {
    this.#buckets.add(update, this.#now());
  }

  /** Sends the buckets that became due to every stream. */
  turn(): void {
    for (const { flows } of this.#buckets.due(this.#now())) {
      const due = flows.map((flow) => this.#numbered(flow));
      for (const stream of this.#streams) this.#send(stream, due);
    }
  }

  list(range: TimeRange, filter: FlowFilter, sortBy: number): NumberedFlow[] {
    const { gte, lt } = this.#range(range);
    if ((sortBy === 3 || sortBy === 6) && this.#quirks.has('sort-by-type'))
      throw new AggregatorRefusal('invalid', 'unsupported sort order');
    const found = this.#buckets.list(gte, lt).filter((flow) => matchesFilter(flow, filter));
    const by = sortKeys[sortBy];
    if (by) found.sort((a, b) => (by(a) < by(b) ? -1 : by(a) > by(b) ? 1 : 0));
    return found.map((flow) => this.#numbered(flow));
  }

  /**
   * Opens a stream of the flows from `gte` on, in seconds since the epoch; negative: before now; 0: from now on, without history. @throws
   * AggregatorRefusal
   */
  stream(gte: number, filter: FlowFilter): FlowStream {
    if (this.#streams.size >= mostStreams && this.#quirks.has('hundred-streams')) {
      throw new AggregatorRefusal('exhausted', 'failed to establish new stream: too many streams');
    }
    const stream: OpenStream = { filter, waiting: [], read: 0, wake: null, closed: false };
    if (gte !== 0) {
      const from = gte < 0 ? this.#now() + gte : gte;
      const lost = from < this.#buckets.oldest(this.#now()) && this.#quirks.has('past-of-history');
      const history = lost ? [] : this.#buckets.sent(from).map((flow) => this.#numbered(flow));
      stream.waiting = history.filter(({ flow }) => matchesFilter(flow, filter));
      if (this.#quirks.has('stream-again')) {
        const newest = history.at(-1)?.flow.start;
        this.#send(
          stream,
          history.filter(({ flow }) => flow.start === newest),
        );
      }
    }
    this.#streams.add(stream);
    return {
      next: async () => {
        while (!stream.closed) {
          const next = stream.waiting[stream.read];
          if (next !== undefined) {
            stream.read++;
            return next;
          }
          stream.waiting = [];
          stream.read = 0;
          await new Promise<void>((resolve) => {
            stream.wake = resolve;
          });
        }
        return null;
      },
      close: () => {
        stream.closed = true;
        this.#streams.delete(stream);
        stream.wake?.();
      },
    };
  }

  /** Ends all streams. */
  close(): void {
    for (const stream of this.#streams) {
      stream.closed = true;
      stream.wake?.();
    }
    this.#streams.clear();
  }

  hints(range: TimeRange, filter: FlowFilter, type: HintType): string[] {
    const { gte, lt } = this.#range(range);
    return hintsOf(
      this.#buckets.list(gte, lt).filter((flow) => matchesFilter(flow, filter)),
      type,
    );
  }

  statistics(range: TimeRange, filter: FlowFilter, question: StatisticsQuestion): PolicyStatistics[] {
    const { gte, lt } = this.#range(range);
    const starts: number[] = [];
    for (let start = bucketOf(gte); start < lt; start += bucketSeconds) starts.push(start);
    const flows = this.#buckets.each(gte, lt).filter((flow) => matchesFilter(flow, filter));
    return statisticsOf(flows, starts, question);
  }

  #range({ gte, lt }: TimeRange): TimeRange {
    const now = this.#now();
    const oldest = this.#buckets.oldest(now);
    const from = gte === 0 ? oldest : gte < 0 ? now + gte : gte;
    // The bucket that is still being filled counts as now.
    const until = lt === 0 ? now + 1 : lt < 0 ? now + lt : lt;
    if (from >= until)
      throw new AggregatorRefusal('invalid', `startTimeGt (${from}) must be less than startTimeLt (${until})`);
    if (from < oldest && this.#quirks.has('past-of-history'))
      throw new AggregatorRefusal('invalid', `failed to find bucket for time range ${from}:${until}`);
    return { gte: Math.max(from, oldest), lt: until };
  }

  #numbered(flow: Omit<Flow, 'id'>): NumberedFlow {
    return { id: idOf(flow), flow };
  }

  #send(stream: OpenStream, flows: readonly NumberedFlow[]): void {
    const matching = flows.filter(({ flow }) => matchesFilter(flow, stream.filter));
    if (matching.length === 0) return;
    const waiting = stream.waiting.slice(stream.read).concat(matching);
    stream.read = 0;
    stream.waiting = this.#quirks.has('slow-streams-drop') ? waiting.slice(-mostWaiting) : waiting;
    stream.wake?.();
    stream.wake = null;
  }
}

/** By the number on the wire (calico.md §6.3). 0 means by time, newest first, which is the order of lists anyway. */
const sortKeys: Readonly<Record<number, (flow: Omit<Flow, 'id'>) => string>> = {
  1: ({ to }) => to.name,
  2: ({ to }) => to.namespace ?? '-',
  3: ({ to }) => to.kind,
  4: ({ from }) => from.name,
  5: ({ from }) => from.namespace ?? '-',
  6: ({ from }) => from.kind,
};
