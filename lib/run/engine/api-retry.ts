import { backOffMs } from '#lib/base/async/back-off.ts';
import { type Clock, isKubeError, type KubeError } from '#lib/kube/index.ts';
import type { RunControl } from './control.ts';
import type { HeldLease } from './lease.ts';
import type { RunEvents } from './run-events.ts';

/** Error codes that may pass by themselves. */
const passing = ['unreachable', 'timeout', 'server', 'too-many-requests', 'expired', 'protocol'] as const;

/** Whether an error may pass without an action of the user, so that the call is repeated. */
export function isPassing(error: unknown): error is KubeError {
  // The backend of an aggregated API is away: the run itself restarts calico-apiserver.
  if (isKubeError(error, 'not-served')) return error.detail.status === 503;
  return isKubeError(error, ...passing);
}

export type ApiRetryOptions = {
  clock: Clock;
  lease: HeldLease;
  control: RunControl;
  signal: AbortSignal;
  events: RunEvents;
  /** From 0 to 1. Spreads retries, so that two processes that wait for the same server do not ask at the same moment. */
  random?: (() => number) | undefined;
};

/** Keeps a run alive while the API server is away: it retries, reports the outage once, and acts again only after it has renewed the Lease. */
export class ApiRetry {
  private readonly o: ApiRetryOptions;
  /** The outage has been reported and is not over. Shared by all calls, so that only the first one reports it. */
  private away = false;

  constructor(options: ApiRetryOptions) {
    this.o = options;
  }

  /** Repeats a call that is safe to repeat until the cluster answers. */
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

  /** Makes one attempt and throws what it throws. The first answer after an outage is reported once; a refusal counts as an answer. */
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

  /**
   * Waits 0.5 s, doubling to 10 s, half of it at random. Throws the error only when the run is no longer ours or the process must end. A write that
   * lost to another writer waits too, but is not reported as an outage.
   */
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

  /** True once the Lease is renewed in time; false when it will not be. */
  async mayAct(): Promise<boolean> {
    const { lease, signal } = this.o;
    while (!lease.mayAct()) {
      if (lease.lost.aborted || signal.aborted || lease.refusal()) return false;
      await this.sleep(500);
    }
    return true;
  }

  /**
   * Unlike `rest`, a request does not wake this sleep. A request cannot be answered before the cluster is back; waking for it would loop without a
   * pause and keep the Lease from being renewed.
   */
  private async sleep(ms: number): Promise<void> {
    const { clock, lease, signal } = this.o;
    await clock.sleep(ms, AbortSignal.any([signal, lease.lost])).catch(() => {});
  }

  /** Sleeps. Wakes early when a request comes or the process must end. */
  async rest(ms: number): Promise<void> {
    const { clock, lease, signal, control } = this.o;
    const stop = new AbortController();
    const wake = AbortSignal.any([stop.signal, signal, lease.lost]);
    await Promise.race([clock.sleep(ms, wake).catch(() => {}), control.requested()]);
    stop.abort(new Error('rested'));
  }
}
