import type { Clock, Kube } from '#lib/kube/index.ts';
import type { FlagsByProgram } from '#lib/text/index.ts';

/** One cluster, kept open while somebody looks at it. */
export type ClusterAccess = {
  kube: Kube;
  /** The cluster's clock: a sandbox has its own. */
  clock: Clock;
  /** For display. */
  name: string;
  /** How commands on its pages name it. */
  flags: FlagsByProgram;
  release(): void | Promise<void>;
};
