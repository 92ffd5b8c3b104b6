import type { Clock, Kube } from '#lib/kube/index.ts';

/** One cluster, held open for as long as somebody looks at it. */
export type ClusterAccess = {
  kube: Kube;
  /** The cluster's time: a sandbox has its own. */
  clock: Clock;
  /** For people. */
  name: string;
  release(): void | Promise<void>;
};
