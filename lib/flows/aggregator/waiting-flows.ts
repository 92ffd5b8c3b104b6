import type { Flow } from '../flow.ts';
import { AggregatorRefusal } from './aggregator-refusal.ts';

export type NumberedFlow = { readonly id: number; readonly flow: Omit<Flow, 'id'> };

/** The flows of one stream, in order. */
export type FlowStream = {
  /** Waits for a flow; null once the stream is closed. Rejects with an AggregatorRefusal once its reader is too slow. */
  next(): Promise<NumberedFlow | null>;
  close(): void;
  /** Aborts when no more flows will come, for whatever reason. */
  readonly ended: AbortSignal;
};

/** Calico's own limit of flows that wait in one stream (calico.md §6.3). */
const mostWaiting = 5_000;
/**
 * Number of buckets that may wait to be read: those of five minutes. A client that then asks again from where it has read loses nothing, because an hour
 * is kept. A limit in time instead would end streams when the clock jumps, after the machine was suspended.
 */
export const mostBuckets = 20;

/** The queue of one stream. It reads the caller's lists flow by flow, so that all streams can share them. */
export class WaitingFlows implements FlowStream {
  readonly #matches: (flow: Omit<Flow, 'id'>) => boolean;
  readonly #whenFull: 'end' | 'drop';
  readonly #end = new AbortController();
  /** What was not read yet, one iterator per `send`. */
  #waiting: Iterator<NumberedFlow>[] = [];
  #wake: () => void = () => undefined;

  /** `drop`: drops the oldest flows in silence when too many wait, as Calico's own does. */
  constructor(matches: (flow: Omit<Flow, 'id'>) => boolean, whenFull: 'end' | 'drop') {
    this.#matches = matches;
    this.#whenFull = whenFull;
  }

  get ended(): AbortSignal {
    return this.#end.signal;
  }

  /** Adds flows to the queue, and ends the stream if too many wait. */
  send(flows: Iterable<NumberedFlow>): void {
    if (this.#end.signal.aborted) return;
    this.#waiting.push(Iterator.from(flows).filter(({ flow }) => this.#matches(flow)));
    if (this.#whenFull === 'drop') {
      const left = this.#waiting.flatMap((one) => [...Iterator.from(one)]);
      this.#waiting = [left.slice(-mostWaiting).values()];
    }
    if (this.#waiting.length > mostBuckets) this.#finish(tooSlow());
    else this.#wake();
  }

  async next(): Promise<NumberedFlow | null> {
    for (;;) {
      const reason: unknown = this.#end.signal.reason;
      if (reason instanceof AggregatorRefusal) throw reason;
      if (this.#end.signal.aborted) return null;
      const found = this.#waiting[0]?.next();
      if (found?.done === false) return found.value;
      if (found !== undefined) this.#waiting.shift();
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }

  close(): void {
    this.#finish(null);
  }

  #finish(reason: AggregatorRefusal | null): void {
    if (this.#end.signal.aborted) return;
    this.#end.abort(reason);
    this.#waiting = [];
    this.#wake();
  }
}

const tooSlow = () =>
  new AggregatorRefusal(
    'exhausted',
    `the stream ended, as its reader left ${mostBuckets} buckets of flows unread; ask again from where it was read to`,
  );
