import { type Clock, type Kube, KubeError } from '#lib/kube/index.ts';
import { withGuard } from './with-guard.ts';

/** A process's connection to the cluster, which a test can cut and restore. The cluster itself keeps running. */
export type Cable = {
  kube: Kube;
  /** Makes all calls, or only those about Leases, fail as unreachable from now on. */
  cut(what?: 'everything' | 'leases'): void;
  reconnect(): void;
  /** Kills the process: none of its calls has an effect or an answer any more. */
  kill(): void;
  /** The process's writes. `answered`: whether the write was carried out. */
  writes: { at: number; method: string; answered: boolean }[];
};

export function cable(kube: Kube, clock: Clock): Cable {
  let state: 'well' | 'everything' | 'leases' | 'dead' = 'well';
  const writes: Cable['writes'] = [];
  return {
    kube: withGuard(kube, async (method, effect, call) => {
      const write = { at: clock.now(), method, answered: false };
      if (effect !== 'reads') writes.push(write);
      if (state === 'dead') return new Promise(() => undefined);
      if (state === 'everything' || (state === 'leases' && /lease/i.test(method)))
        throw new KubeError('unreachable', 'The line to the cluster is cut.');
      const answer = await call();
      write.answered = true;
      return answer;
    }),
    writes,
    cut: (what = 'everything') => {
      state = what;
    },
    reconnect: () => {
      state = 'well';
    },
    kill: () => {
      state = 'dead';
    },
  };
}
