import type { RunCopy } from './provenance-of.ts';
import type { Sealer } from './seal.ts';

/**
 * What this installation remembers of the runs that it carries, outside of any cluster: the key that seals their journals, and a copy of each. The
 * copy reveals a journal that somebody put back, and restores one that was deleted. Runs have the same names as in the cluster.
 */
export type RunMemory = {
  readonly sealer: Sealer;
  recall(run: string): Promise<RunCopy | null>;
  /** Writes the copy, whole or not at all: of a new run before the cluster has it, of later states right after. */
  keep(run: RunCopy): Promise<void>;
  /** Every run of a cluster (the UID of its kube-system) with a readable copy. */
  ofCluster(uid: string): Promise<RunCopy[]>;
  /** Deletes the copy of a run, and the file with the changes of flows that it caused. */
  forget(run: string): Promise<void>;
};
