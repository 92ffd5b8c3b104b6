import { bucketSeconds, type Flow, historySeconds } from '../flow.ts';
import { keyHash } from '../wire/read-flow.ts';

/** Beside them come the bucket that fills, and one that agents with a fast clock are ahead (calico.md §6.3: 242). */
const historyBuckets = historySeconds / bucketSeconds;
/** A bucket is told this long after it was full, so that the agents' reports are in. */
const toldAfterSeconds = bucketSeconds;
/** Distinct flows at a time; more are counted and left out. */
const mostFlows = 1_000_000;

type Bucket = Map<string, Omit<Flow, 'id'>>;

/**
 * The flows of the last hour, added up by bucket. Time comes in as a parameter, in seconds: nothing moves by itself. What is older than an hour is
 * forgotten, what is further ahead than one bucket belongs to a clock that is wrong; both are left out and counted.
 */
export class FlowBuckets {
  readonly #buckets = new Map<number, Bucket>();
  #size = 0;
  #told: number;
  #leftOut = 0;
  readonly #most: number;

  constructor(now: number, most: number = mostFlows) {
    this.#most = most;
    this.#told = bucketOf(now) - bucketSeconds;
  }

  get leftOut(): number {
    return this.#leftOut;
  }

  /** Adds what an agent reported: to the bucket in which it begins. Labels that not all reports have are dropped. */
  add(update: Omit<Flow, 'id'>, now: number): void {
    const start = bucketOf(update.start);
    const bucket: Bucket = this.#buckets.get(start) ?? new Map();
    const key = keyHash(update);
    const known = bucket.get(key);
    const full = known === undefined && this.#size >= this.#most;
    if (start <= this.oldest(now) - bucketSeconds || start > bucketOf(now) + bucketSeconds || full) {
      this.#leftOut++;
      return;
    }
    this.#buckets.set(start, bucket);
    if (known === undefined) this.#size++;
    bucket.set(key, known === undefined ? { ...update, start, end: start + bucketSeconds } : sum(known, update));
  }

  /** The buckets that became due since the last time, oldest first; forgets what is older than an hour. */
  due(now: number): { start: number; flows: Omit<Flow, 'id'>[] }[] {
    const last = this.lastTold(now);
    const buckets: { start: number; flows: Omit<Flow, 'id'>[] }[] = [];
    const from = Math.max(this.#told + bucketSeconds, this.oldest(now));
    for (let start = from; start <= last; start += bucketSeconds) buckets.push({ start, flows: this.#flowsOf(start) });
    this.#told = Math.max(this.#told, last);
    for (const [start, bucket] of this.#buckets) {
      if (start >= this.oldest(now)) continue;
      this.#size -= bucket.size;
      this.#buckets.delete(start);
    }
    return buckets;
  }

  /** What was told up to now from `gte` on, oldest first: how a stream begins that begins in the past. */
  told(gte: number): Omit<Flow, 'id'>[] {
    return this.#between(gte, this.#told + bucketSeconds).flatMap((start) => this.#flowsOf(start));
  }

  /** One flow for all buckets of a time that begin in it, newest first. */
  list(gte: number, lt: number): Omit<Flow, 'id'>[] {
    const sums = new Map<string, Omit<Flow, 'id'>>();
    for (const start of this.#between(gte, lt)) {
      for (const [key, flow] of this.#buckets.get(start) ?? []) {
        const known = sums.get(key);
        sums.set(key, known === undefined ? flow : { ...sum(known, flow), end: flow.end });
      }
    }
    return [...sums.values()].sort((a, b) => b.end - a.end);
  }

  /** Each flow of a time in each bucket, for series. */
  each(gte: number, lt: number): Omit<Flow, 'id'>[] {
    return this.#between(gte, lt).flatMap((start) => this.#flowsOf(start));
  }

  oldest(now: number): number {
    return bucketOf(now) - historyBuckets * bucketSeconds;
  }

  lastTold(now: number): number {
    return bucketOf(now - toldAfterSeconds) - bucketSeconds;
  }

  #between(gte: number, lt: number): number[] {
    return [...this.#buckets.keys()].filter((start) => start + bucketSeconds > gte && start < lt).sort((a, b) => a - b);
  }

  #flowsOf(start: number): Omit<Flow, 'id'>[] {
    return [...(this.#buckets.get(start)?.values() ?? [])];
  }
}

/** The same for the same ends, port, verdict and policies: 48 bits, which a number holds, and which need no memory of who had which. */
export function idOf(flow: Omit<Flow, 'id'>): number {
  return Buffer.from(keyHash(flow).slice(0, 8), 'base64url').readUIntBE(0, 6);
}

export const bucketOf = (seconds: number) => Math.floor(seconds / bucketSeconds) * bucketSeconds;

function sum(one: Omit<Flow, 'id'>, other: Omit<Flow, 'id'>): Omit<Flow, 'id'> {
  const inOut = (name: 'bytes' | 'packets') => ({
    in: one[name].in + other[name].in,
    out: one[name].out + other[name].out,
  });
  return {
    ...one,
    from: { ...one.from, labels: common(one.from.labels, other.from.labels) },
    to: { ...one.to, labels: common(one.to.labels, other.to.labels) },
    bytes: inOut('bytes'),
    packets: inOut('packets'),
    connections: {
      started: one.connections.started + other.connections.started,
      completed: one.connections.completed + other.connections.completed,
      // Of those that live at the end of a time, not a sum over it.
      live: other.start > one.start ? other.connections.live : one.connections.live + other.connections.live,
    },
  };
}

const common = (one: readonly string[], other: readonly string[]) => one.filter((label) => other.includes(label));
