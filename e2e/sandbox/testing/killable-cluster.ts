import type { Clock, Kube } from '#lib/kube/index.ts';
import { type Effect, withGuard } from './with-guard.ts';

/** The moment of a process's death: at its n-th call (from 1), before the call reaches the cluster, or after that but before the answer. */
export type KillPoint = { call: number; moment: 'before' | 'after' };

export type KillableCluster = {
  kube: Kube;
  clock: Clock;
  /** Resolves at the moment of death. */
  death: Promise<void>;
  /** The process's calls in order; the n-th call is `calls[n - 1]`. */
  calls: { method: string; effect: Effect }[];
};

/** Cluster and clock for a process that is killed as by SIGKILL: after its death none of its calls has an effect, and none returns or fails. */
export function killableCluster(kube: Kube, clock: Clock, at: KillPoint | null): KillableCluster {
  const { promise: death, resolve: die } = Promise.withResolvers<void>();
  const calls: KillableCluster['calls'] = [];
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
    kube: withGuard(kube, async (method, effect, call) => {
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
