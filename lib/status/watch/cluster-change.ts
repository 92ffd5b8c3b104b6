import type { KubeObject } from '#lib/kube/index.ts';
import type { RunSummary } from '#lib/run/index.ts';
import type { ClusterStatus } from '../cluster-status.ts';
import type { NodeLine } from '../node-line.ts';
import type { Stale } from '../reachability.ts';

/**
 * A run as a watch tells it. `configMap` holds its journal: whose word that is, only a reader with a memory of its own runs can say (`seenRunToShow`).
 * Null: it was not kept, since another run was told when it was seen.
 */
export type SeenRun = RunSummary & { readonly configMap: KubeObject | null };

/** A cluster as its watches tell it. `run`: the one that has not ended, else the newest. `stale`: since when the API server has not answered. */
export type ClusterPicture = {
  kubernetes: string | null;
  status: ClusterStatus;
  nodes: NodeLine[];
  run: SeenRun | null;
  stale: Stale | null;
};

/** What a watch tells: everything once, then what changed. Null parts have not changed, but for `run`, which is absent then. */
export type ClusterChange =
  | { kind: 'whole'; picture: ClusterPicture }
  | {
      kind: 'changed';
      nodes: { changed: NodeLine[]; gone: string[] } | null;
      status: ClusterStatus | null;
      run?: SeenRun | null;
    }
  | { kind: 'stale'; stale: Stale | null };
