import { type Clock, type Kube, KubeError } from '#lib/kube/index.ts';
import { around } from './around.ts';

/** A process's line to the cluster, which can be cut and reconnected: the cluster itself is well. */
export type Cable = {
  kube: Kube;
  /** Everything, or only calls about Leases, from now on ends as unreachable. */
  cut(what?: 'everything' | 'leases'): void;
  reconnect(): void;
  /** The process is dead: nothing of it happens any more. */
  kill(): void;
  /** What it tried to write; `answered`: and did. */
  writes: { at: number; method: string; answered: boolean }[];
};

export function cable(kube: Kube, clock: Clock): Cable {
  let state: 'well' | 'everything' | 'leases' | 'dead' = 'well';
  const writes: Cable['writes'] = [];
  return {
    kube: around(kube, async (method, effect, call) => {
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
