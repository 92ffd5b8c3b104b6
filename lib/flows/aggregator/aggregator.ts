import { bucketSeconds, type Flow, type TimeRange } from '../flow.ts';
import type { FlowFilter } from '../flow-filter.ts';
import { AggregatorRefusal } from './aggregator-refusal.ts';
import { bucketOf, FlowBuckets, idOf } from './flow-buckets.ts';
import { type HintType, hintsOf } from './hints.ts';
import { matchesFilter } from './matches-filter.ts';
import { noQuirks, type QuirkId } from './quirks.ts';
import { type PolicyStatistics, type StatisticsQuestion, statisticsOf } from './statistics.ts';
import { type FlowStream, type NumberedFlow, WaitingFlows } from './waiting-flows.ts';

/** Calico's own limit (calico.md §6.3). */
const mostStreams = 100;

/**
 * Sums up flows, keeps an hour of them in memory and answers requests for them, as Goldmane does (calico.md §6.3). The caller drives the time: it
 * calls `turn` about once a second, which sends the buckets that are due to all streams.
 */
export class Aggregator {
  readonly #buckets: FlowBuckets;
  readonly #now: () => number;
  readonly #quirks: ReadonlySet<QuirkId>;
  readonly #streams = new Set<WaitingFlows>();

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
    const due = this.#buckets.due(this.#now()).flatMap(({ flows }) => flows.map((flow) => this.#numbered(flow)));
    if (due.length > 0) for (const stream of this.#streams) stream.send(due);
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
    const stream = new WaitingFlows(
      (flow) => matchesFilter(flow, filter),
      this.#quirks.has('slow-streams-drop') ? 'drop' : 'end',
    );
    if (gte !== 0) this.#sendHistory(stream, gte < 0 ? this.#now() + gte : gte);
    this.#streams.add(stream);
    stream.ended.addEventListener('abort', () => this.#streams.delete(stream));
    return stream;
  }

  /** Ends all streams. */
  close(): void {
    for (const stream of this.#streams) stream.close();
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

  #sendHistory(stream: WaitingFlows, from: number): void {
    const isLost = from < this.#buckets.oldest(this.#now()) && this.#quirks.has('past-of-history');
    const history = isLost ? [] : this.#buckets.sent(from);
    const numbered = (flows: Omit<Flow, 'id'>[]) => flows.values().map((flow) => this.#numbered(flow));
    stream.send(numbered(history));
    if (!this.#quirks.has('stream-again')) return;
    const newest = history.at(-1)?.start;
    stream.send(numbered(history.filter(({ start }) => start === newest)));
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
