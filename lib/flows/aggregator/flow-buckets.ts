import { bucketSeconds, type Flow, historySeconds } from '../flow.ts';
import { keyHash } from '../wire/read-flow.ts';

/** Buckets of the history. Goldmane adds the one that is being filled and one for agents whose clock is fast (calico.md §6.3: 242). */
const historyBuckets = historySeconds / bucketSeconds;
/** A bucket is sent this long after its end, so that all agents' reports have arrived. */
const sentAfterSeconds = bucketSeconds;
/** The most distinct flows at a time; further ones are dropped and counted. */
const mostFlows = 1_000_000;

type Bucket = Map<string, Omit<Flow, 'id'>>;

/**
 * The flows of the last hour, summed up by bucket. The time comes in as a parameter, in seconds; nothing happens by itself. Reports older than an
 * hour, and reports more than one bucket ahead, which come from a wrong clock, are dropped and counted.
 */
export class FlowBuckets {
  readonly #buckets = new Map<number, Bucket>();
  #size = 0;
  #sentUpTo: number;
  #leftOut = 0;
  readonly #most: number;

  constructor(now: number, most: number = mostFlows) {
    this.#most = most;
    this.#sentUpTo = bucketOf(now) - bucketSeconds;
  }

  get leftOut(): number {
    return this.#leftOut;
  }

  /** Adds an agent's report to the bucket in which it begins. Only labels that all reports of a flow have are kept. */
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

  /** The buckets that became due since the last call, oldest first. Forgets buckets older than an hour. */
  due(now: number): { start: number; flows: Omit<Flow, 'id'>[] }[] {
    const last = this.lastDue(now);
    const buckets: { start: number; flows: Omit<Flow, 'id'>[] }[] = [];
    const from = Math.max(this.#sentUpTo + bucketSeconds, this.oldest(now));
    for (let start = from; start <= last; start += bucketSeconds) buckets.push({ start, flows: this.#flowsOf(start) });
    this.#sentUpTo = Math.max(this.#sentUpTo, last);
    for (const [start, bucket] of this.#buckets) {
      if (start >= this.oldest(now)) continue;
      this.#size -= bucket.size;
      this.#buckets.delete(start);
    }
    return buckets;
  }

  /** The flows of the buckets from `gte` on that were sent already, oldest first: the history with which a stream begins. */
  sent(gte: number): Omit<Flow, 'id'>[] {
    return this.#between(gte, this.#sentUpTo + bucketSeconds).flatMap((start) => this.#flowsOf(start));
  }

  /** One flow per key, summed over the buckets between `gte` and `lt`, newest first. */
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

  /** The flows of each bucket between `gte` and `lt`, for series. */
  each(gte: number, lt: number): Omit<Flow, 'id'>[] {
    return this.#between(gte, lt).flatMap((start) => this.#flowsOf(start));
  }

  oldest(now: number): number {
    return bucketOf(now) - historyBuckets * bucketSeconds;
  }

  lastDue(now: number): number {
    return bucketOf(now - sentAfterSeconds) - bucketSeconds;
  }

  #between(gte: number, lt: number): number[] {
    return [...this.#buckets.keys()].filter((start) => start + bucketSeconds > gte && start < lt).sort((a, b) => a - b);
  }

  #flowsOf(start: number): Omit<Flow, 'id'>[] {
    return [...(this.#buckets.get(start)?.values() ?? [])];
  }
}

/** A flow's id: equal for the same ends, port, verdict and policies. 48 bits of a hash fit a number exactly and need no memory of assigned ids. */
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
      // The live connections are those at the end of the time, not a sum over it.
      live: other.start > one.start ? other.connections.live : one.connections.live + other.connections.live,
    },
  };
}

const common = (one: readonly string[], other: readonly string[]) => one.filter((label) => other.includes(label));
