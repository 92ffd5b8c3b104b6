import type { KeptRun } from './provenance-of.ts';
import type { Sealer } from './seal.ts';

/**
 * What this installation remembers of the runs that it carries, outside of any cluster: the key that seals their journals and a copy of each. The
 * copy tells a journal that somebody put back, and is what a journal that was deleted is restored from. Runs are named as in the cluster.
 */
export type RunMemory = {
  readonly sealer: Sealer;
  recall(run: string): Promise<KeptRun | null>;
  /** The copy, whole or not at all. A new run is kept before the cluster has it, everything later right after. */
  keep(run: KeptRun): Promise<void>;
  /** Every run of a cluster (the UID of its kube-system) of which there is a copy that can be read. */
  ofCluster(uid: string): Promise<KeptRun[]>;
  /** With what flows said of it. */
  forget(run: string): Promise<void>;
};
