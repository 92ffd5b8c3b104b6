import type { V1DaemonSet } from '@kubernetes/client-node';
import { nodeIndexesOf, type PodKind, podKindOf } from './objects/pod-kinds.ts';
import { probeObjects } from './objects/probe-objects.ts';
import type { ProbeSettings } from './objects/settings.ts';

/**
 * Writes of a pod: creation, binding, two or three container states, the network's annotations, deletion, end. etcd keeps each version completely.
 */
const writesOfPod = 7;
/**
 * Two writes per restart of a container that cannot run: the kubelet waits 10 s, and twice as long each time (kubernetes.io/docs › Pod Lifecycle ›
 * Container restarts). That is five restarts in the five minutes of history.
 */
const writesOfRestarts: Readonly<Record<PodKind, number>> = { host: 0, pod: 0, images: 10 };
/** Added by the API server, the scheduler and the kubelet: status, tolerations, managed fields. */
const addedBytes = 4 * 1024;
/** A quarter of etcd's default quota (etcd.io/docs › System limits: 2 GiB). */
const muchBytes = 512 * 1024 ** 2;

/**
 * An upper limit of what a preflight leaves in etcd's history, in bytes, until it is compacted; kube-apiserver compacts every five minutes what is
 * older than that. Each pod counts with all of its writes, and with one write of its DaemonSet per pod write, whose status counts pods. A real API
 * server and etcd kept 0.7 of it (96 nodes, pods without a kubelet; 2026-11-27). Three quarters are the script, which each host pod has in its own
 * spec, because a ConfigMap could be rewritten.
 *
 * Testing nodes in waves would not help: as much is written, and the history releases it only after five to ten minutes. Waves so far apart would
 * take longer than a measurement is valid (kept-measurement.ts).
 */
export function historyBytes(settings: ProbeSettings): number {
  const daemonSets = probeObjects(settings).filter(({ kind }) => kind === 'DaemonSet') as unknown as V1DaemonSet[];
  return daemonSets.reduce((sum, daemonSet) => {
    // A pod names one node instead of all nodes of its group.
    const { affinity: _, ...pod } = daemonSet.spec?.template.spec ?? { containers: [] };
    const pods = nodeIndexesOf(daemonSet.metadata?.name ?? '', settings).length;
    const writes = writesOfPod + writesOfRestarts[podKindOf(daemonSet.metadata?.name ?? '') ?? 'host'];
    return sum + pods * (writes * (bytesOf(pod) + addedBytes) + bytesOf(daemonSet));
  }, 0);
}

const bytesOf = (object: object) => Buffer.byteLength(JSON.stringify(object));

/** A sentence for the user if it is much; null if it is not. */
export function historyInWords(settings: ProbeSettings): string | null {
  const bytes = historyBytes(settings);
  if (bytes <= muchBytes) return null;
  return `The pods of so many nodes leave up to ${(bytes / 1024 ** 3).toFixed(1)} GiB in etcd until it compacts its history (10 minutes at most), and etcd takes no writes beyond its quota (2 GiB unless it was set). See first that it has room; \`signalbox preflight --nodes KEY=VALUE\` tests fewer nodes.`;
}
