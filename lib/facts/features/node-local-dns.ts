import { containersOf, type KubeObject, type ObjectMetadata, workloadOf } from '#lib/kube/index.ts';
import { defineCollector } from '../collector.ts';
import { allOf } from '../reading/coverage.ts';
import { picked } from '../reading/query.ts';
import { daemonSetListing, tracked } from '../reading/sources.ts';
import type { Subject } from '../schema.ts';

/** `node-local-dns` (Kubernetes' own manifest), `nodelocaldns` (kubespray), `rke2-coredns-node-local-dns`. */
const nameOfCache = /(?:^|-)node-?local-?dns/i;
const imageOfCache = /k8s-dns-node-cache/;

function nodeLocalCache(object: KubeObject | ObjectMetadata): Subject | null {
  const workload = workloadOf(object);
  const { name, namespace } = workload.metadata;
  const image = containersOf(workload).find(({ container }) => imageOfCache.test(container.image))?.container.image;
  if (image === undefined && !nameOfCache.test(name)) return null;
  return { kind: 'DaemonSet', namespace, name, detail: image ?? 'named after NodeLocal DNSCache' };
}

/** A DNS cache on each node, which takes the cluster DNS' address there (pain E2). Whether eBPF leaves it alone is told by an annotation of Service kube-dns. */
export const nodeLocalDns = defineCollector({
  id: 'features/node-local-dns',
  tells: ['nodeLocalDns'],
  reads: { daemonSets: picked(daemonSetListing, nodeLocalCache), kubeDns: tracked.kubeDns },
  collect: ({ daemonSets, kubeDns }) => ({
    features: { nodeLocalDns: daemonSets.value },
    // Without a cache nobody asks what the Service says.
    coverage: { nodeLocalDns: daemonSets.value.length > 0 ? allOf(daemonSets, kubeDns) : allOf(daemonSets) },
  }),
});
