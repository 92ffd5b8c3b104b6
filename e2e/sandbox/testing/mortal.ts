import type { Clock, Kube } from '#lib/kube/index.ts';
import { around, type Effect } from './around.ts';

/** When a process dies: at its n-th call (from 1), before the call reaches the cluster or after it did and before the answer came. */
export type Death = { call: number; moment: 'before' | 'after' };

export type Mortal = {
  kube: Kube;
  clock: Clock;
  /** Resolves at the moment of death. */
  death: Promise<void>;
  /** Its calls, in order: the n-th call is `calls[n - 1]`. */
  calls: { method: string; effect: Effect }[];
};

/** The cluster and the time of a process that is killed with SIGKILL: from then on nothing of it happens any more, not even an error. */
export function mortal(kube: Kube, clock: Clock, at: Death | null): Mortal {
  const { promise: death, resolve: die } = Promise.withResolvers<void>();
  const calls: Mortal['calls'] = [];
  let dead = false;
  const dies = () => {
    dead = true;
    die();
    return forever<never>();
  };
  return {
    death,
    calls,
    clock: { ...clock, sleep: (ms, signal) => (dead ? forever() : clock.sleep(ms, signal)) },
    kube: around(kube, async (method, effect, call) => {
      if (dead) return forever();
      const isLast = calls.push({ method, effect }) === at?.call;
      if (isLast && at.moment === 'before') return dies();
      const [answer] = await Promise.allSettled([call()]);
      if (isLast) return dies();
      if (dead) return forever();
      if (answer.status === 'rejected') throw answer.reason;
      return answer.value;
    }),
  };
}

function forever<T>(): Promise<T> {
  return new Promise(() => undefined);
}
