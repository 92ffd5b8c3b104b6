import type { KubeObject } from '#lib/kube/index.ts';
import type { RunSummary } from '#lib/run/index.ts';
import type { ClusterStatus } from '../cluster-status.ts';
import type { NodeLine } from '../node-line.ts';
import type { Stale } from '../reachability.ts';

/**
 * A run as a watch reports it. `configMap` holds its journal. The watch cannot tell own from foreign runs; `seenRunToShow` can, with the memory of this
 * installation's runs. Null: the ConfigMap was dropped, because another run was the reported one when it was seen.
 */
export type SeenRun = RunSummary & { readonly configMap: KubeObject | null };

/** A cluster as its watches report it. `run`: the run that has not ended, else the newest. `stale`: since when the API server has not answered. */
export type ClusterPicture = {
  kubernetes: string | null;
  status: ClusterStatus;
  nodes: NodeLine[];
  run: SeenRun | null;
  stale: Stale | null;
};

/** A report of a watch: the whole picture once, then changes. A part that has not changed is null; `run` is absent instead, because null means no run. */
export type ClusterChange =
  | { kind: 'whole'; picture: ClusterPicture }
  | {
      kind: 'changed';
      nodes: { changed: NodeLine[]; gone: string[] } | null;
      status: ClusterStatus | null;
      run?: SeenRun | null;
    }
  | { kind: 'stale'; stale: Stale | null };
