import { backOffMs } from '#lib/base/back-off.ts';
import { type Clock, isKubeError, type KubeError } from '#lib/kube/index.ts';
import type { RunControl } from './control.ts';
import type { HeldLease } from './lease.ts';
import type { RunEvents } from './run-events.ts';

/** Codes that waiting may fix. */
const passing = ['unreachable', 'timeout', 'server', 'too-many-requests', 'expired', 'protocol'] as const;

export function isPassing(error: unknown): error is KubeError {
  // An aggregated API whose backend is away: calico-apiserver rolls in this very journey.
  if (isKubeError(error, 'not-served')) return error.detail.status === 503;
  return isKubeError(error, ...passing);
}

export type ApiRetryOptions = {
  clock: Clock;
  lease: HeldLease;
  control: RunControl;
  signal: AbortSignal;
  events: RunEvents;
  /** From 0 to 1: how two who wait for the same server come to ask at different moments. */
  random?: (() => number) | undefined;
};

/** How a run outlives an API server that is away: it keeps asking, says so once, and acts again only under a Lease that it has renewed. */
export class ApiRetry {
  private readonly o: ApiRetryOptions;
  /** Whether the stream says that the cluster is away, whichever call found that out. */
  private away = false;

  constructor(options: ApiRetryOptions) {
    this.o = options;
  }

  /** Repeats something that may be repeated until the cluster answers. */
  async until<T>(attempt: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        return await this.once(attempt);
      } catch (error) {
        if (!isPassing(error)) throw error;
        await this.backOff(error, tries);
      }
    }
  }

  /** One attempt. That the cluster is back is said once, by whatever is answered first: a refusal is an answer too. Throws what the attempt throws. */
  async once<T>(attempt: () => Promise<T>): Promise<T> {
    try {
      const result = await attempt();
      this.isBack();
      return result;
    } catch (error) {
      if (isKubeError(error) && !isPassing(error)) this.isBack();
      throw error;
    }
  }

  private isBack(): void {
    if (!this.away) return;
    this.away = false;
    this.o.events.log('The cluster answers again.');
  }

  /** Waits 0.5 s, doubling to 10 s, half of it at random. Gives up only when the run is no longer ours, or the process must end. A write that was overtaken waits too, but nobody is away then. */
  async backOff(error: KubeError, tries: number): Promise<void> {
    const { lease, signal, events } = this.o;
    if (isPassing(error) && !this.away) {
      this.away = true;
      events.problem(
        'cluster.unreachable',
        `${error.message} The run is kept and continues when the cluster answers.`,
        [],
        [],
      );
    }
    if (lease.lost.aborted || signal.aborted) throw error;
    events.beat();
    await this.sleep(backOffMs(tries, { firstMs: 500, mostMs: 10_000, least: 0.5 }, this.o.random ?? Math.random));
  }

  /** Resolves with true when the Lease was renewed within its bounds, with false when it will not be. */
  async mayAct(): Promise<boolean> {
    const { lease, signal } = this.o;
    while (!lease.mayAct()) {
      if (lease.lost.aborted || signal.aborted || lease.refusal()) return false;
      await this.sleep(500);
    }
    return true;
  }

  /** A question that waits must not wake this: nothing can be answered before the cluster is back, and a sleep that never sleeps starves the Lease. */
  private async sleep(ms: number): Promise<void> {
    const { clock, lease, signal } = this.o;
    await clock.sleep(ms, AbortSignal.any([signal, lease.lost])).catch(() => {});
  }

  /** Sleeps, and wakes early when something is asked or the process must end. */
  async rest(ms: number): Promise<void> {
    const { clock, lease, signal, control } = this.o;
    const stop = new AbortController();
    const wake = AbortSignal.any([stop.signal, signal, lease.lost]);
    await Promise.race([clock.sleep(ms, wake).catch(() => {}), control.asked()]);
    stop.abort(new Error('rested'));
  }
}
