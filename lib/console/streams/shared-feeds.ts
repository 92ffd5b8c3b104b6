import { backOffMs } from '#lib/base/async/back-off.ts';
import { type Clock, systemClock } from '#lib/kube/index.ts';
import type { ClusterAccess } from './access.ts';

/** Something that follows one cluster while anybody looks, and can be shared. */
export type Followable = {
  readonly feed: { readonly ended: unknown; readonly view: unknown };
  /** Why there is no view, or no longer one; falsy if nothing is wrong. */
  readonly failure: unknown;
  /** Resolves when there is nothing left to follow; rejects with what ended it. */
  follow(access: ClusterAccess, signal: AbortSignal): Promise<void>;
  /** It could not be followed. It will be tried again unless this ended the feed. */
  failed(error: unknown): void;
};

export type JoinedFeed<T> = { of: T; leave(): void };

type Shared<T> = { of: T; looking: number; stop: AbortController; over: Promise<void>; linger: NodeJS.Timeout | null };

/** Pause between two attempts to open or follow a cluster. */
const retry = { firstMs: 1_000, mostMs: 15_000, least: 1 };

/**
 * Shares one of each by cluster and name: opened by the first who joins, closed a while after the last has left. One that never had a view is closed
 * at once, so that the next caller opens the cluster as its entry is then.
 */
export class SharedFeeds<T extends Followable> {
  private readonly shared = new Map<string, Shared<T>>();
  private readonly acquire: (slug: string) => Promise<ClusterAccess>;
  private readonly lingerMs: number;
  private readonly pace: Clock;

  constructor(options: { acquire(slug: string): Promise<ClusterAccess>; lingerMs: number; pace?: Clock }) {
    this.acquire = options.acquire;
    this.lingerMs = options.lingerMs;
    this.pace = options.pace ?? systemClock;
  }

  join(slug: string, name: string, make: () => T): JoinedFeed<T> {
    const key = JSON.stringify([slug, name]);
    let one = this.shared.get(key);
    if (!one || one.of.feed.ended) {
      const of = make();
      const stop = new AbortController();
      one = { of, looking: 0, stop, over: this.keepFollowing(slug, of, stop.signal), linger: null };
      this.shared.set(key, one);
    }
    const joined = one;
    joined.looking++;
    if (joined.linger) clearTimeout(joined.linger);
    let left = false;
    return {
      of: joined.of,
      leave: () => {
        if (left) return;
        left = true;
        if (--joined.looking > 0) return;
        const { failure, feed } = joined.of;
        const lingerMs = failure && feed.view === null ? 0 : this.lingerMs;
        joined.linger = setTimeout(() => {
          joined.stop.abort();
          if (this.shared.get(key) === joined) this.shared.delete(key);
        }, lingerMs);
        joined.linger.unref();
      },
    };
  }

  async close(): Promise<void> {
    const all = [...this.shared.values()];
    this.shared.clear();
    for (const { stop, linger } of all) {
      if (linger) clearTimeout(linger);
      stop.abort();
    }
    await Promise.all(all.map(({ over }) => over));
  }

  private async keepFollowing(slug: string, of: T, signal: AbortSignal): Promise<void> {
    for (let tries = 0; !signal.aborted && !of.feed.ended; tries++) {
      const began = this.pace.monotonic();
      try {
        await this.followOnce(slug, of, signal);
      } catch (error) {
        if (signal.aborted) return;
        of.failed(error);
      }
      if (this.pace.monotonic() - began > retry.mostMs) tries = 0;
      if (!of.feed.ended) await this.pace.sleep(backOffMs(tries, retry, Math.random), signal).catch(() => {});
    }
  }

  private async followOnce(slug: string, of: T, signal: AbortSignal): Promise<void> {
    const access = await this.acquire(slug);
    try {
      if (!signal.aborted) await of.follow(access, signal);
    } finally {
      await access.release();
    }
  }
}
