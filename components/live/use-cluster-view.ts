'use client';

import { type ClusterEvent, type ClusterView, foldCluster } from '#lib/console/wire.ts';
import { type Live, useLive } from './use-live.ts';

/** A cluster as it is, from the view that the page was rendered with. */
export function useClusterView(cluster: string, initial: ClusterView): Live<ClusterView> {
  return useLive<ClusterView, ClusterEvent>(
    `/api/clusters/${encodeURIComponent(cluster)}/events`,
    initial,
    foldCluster,
  );
}
