import type { ClusterView } from '#lib/console/wire.ts';
import { unservedNodes } from '#lib/status/unserved.ts';

/** What serves Services, by the watches: `nobody` on some node, kube-proxy, eBPF, or something that they do not see. */
export type ServedBy = 'nobody' | 'kube-proxy' | 'eBPF' | 'not-seen';

export function servedAsSeen({ status, nodes }: Pick<ClusterView, 'status' | 'nodes'>): ServedBy {
  if (unservedNodes(status, nodes).length > 0) return 'nobody';
  if ((status.proxy?.desired ?? 0) > 0) return 'kube-proxy';
  return nodes.some(({ plane }) => plane === 'bpf') ? 'eBPF' : 'not-seen';
}
