import type { V1DaemonSet } from '@kubernetes/client-node';
import { type ProbeSettings, placesOf, probeObjects, type Way, wayOf } from './objects.ts';

/** Created, bound, two or three states of its containers, the network's annotations, its deletion, its end. etcd keeps each whole. */
const writesOfPod = 7;
/**
 * Two states for each time that the kubelet starts a container again which cannot run: after 10 s, and twice as long each time
 * (kubernetes.io/docs › Pod Lifecycle › Container restarts). Five times in the five minutes that history reaches back.
 */
const writesOfRestarts: Readonly<Record<Way, number>> = { host: 0, pod: 0, images: 10 };
/** What the API server, the scheduler and the kubelet add: status, tolerations, managed fields. */
const addedBytes = 4 * 1024;
/** A quarter of what etcd takes unless it is told otherwise (etcd.io/docs › System limits: 2 GiB). */
const muchBytes = 512 * 1024 ** 2;

/**
 * What a preflight leaves in etcd's history at most, in bytes, until that is compacted: kube-apiserver does so every five minutes with what is older than that.
 * Each pod is counted with each of its writes, and with one more of its DaemonSet, whose status counts it. A real API server and etcd kept 0.7 of it (96 nodes,
 * pods without a kubelet; 2026-11-27): three quarters of it are the script, which each pod of the host's has in its own spec, as a ConfigMap could be rewritten.
 *
 * Nodes are not tested in waves: what is written is the same, and history lets go of it only once five to ten minutes are over. Waves that are so far apart would
 * take longer than a measurement holds (kept-measurement.ts).
 */
export function historyBytes(settings: ProbeSettings): number {
  const daemonSets = probeObjects(settings).filter(({ kind }) => kind === 'DaemonSet') as unknown as V1DaemonSet[];
  return daemonSets.reduce((sum, daemonSet) => {
    // A pod names its node in place of all of the group.
    const { affinity: _, ...pod } = daemonSet.spec?.template.spec ?? { containers: [] };
    const pods = placesOf(daemonSet.metadata?.name ?? '', settings).length;
    const writes = writesOfPod + writesOfRestarts[wayOf(daemonSet.metadata?.name ?? '') ?? 'host'];
    return sum + pods * (writes * (bytesOf(pod) + addedBytes) + bytesOf(daemonSet));
  }, 0);
}

const bytesOf = (object: object) => Buffer.byteLength(JSON.stringify(object));

/** A sentence for whoever decides, where it is much; null: it is not. */
export function historyInWords(settings: ProbeSettings): string | null {
  const bytes = historyBytes(settings);
  if (bytes <= muchBytes) return null;
  return `The pods of so many nodes leave up to ${(bytes / 1024 ** 3).toFixed(1)} GiB in etcd until it compacts its history (10 minutes at most), and etcd takes no writes beyond its quota (2 GiB unless it was set). See first that it has room; \`signalbox preflight --nodes KEY=VALUE\` tests fewer nodes.`;
}
