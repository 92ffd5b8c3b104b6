import { isIP } from 'node:net';
import { isLoopback, isThisMachine } from '#lib/base/ip.ts';
import { type KubeObject, type ObjectMetadata, podOf, type ReadPodSpec, workloadOf } from '#lib/kube/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { defineCollector } from '../collector.ts';
import { allOf } from '../reading/coverage.ts';
import { picked, type Query } from '../reading/query.ts';
import type { Missing, Reading } from '../reading/reading.ts';
import { daemonSetListing, podListing } from '../reading/sources.ts';
import type { Facts } from '../schema.ts';

type KubeVip = NonNullable<Facts['endpoint']['kubeVip']>;

/** Names that kube-vip's generator gives: `kube-vip-ds`, and the static pod `kube-vip-NODE`. */
const named = /^kube-vip(-|$)/;

const byDaemonSet = picked(daemonSetListing, (object) => {
  if (!named.test(object.metadata.name ?? '')) return null;
  const { metadata: meta, spec } = workloadOf(object);
  return kubeVipOf(`${meta.namespace ?? ''}/DaemonSet/${meta.name}`, spec.template.spec);
});

const podNames = picked(podListing, ({ metadata: { namespace, name } }: KubeObject | ObjectMetadata) =>
  namespace === names.systemNamespace && name !== undefined && named.test(name) ? name : null,
);

/** kube-vip as a static pod. Names come with the list of pods; one pod is read, since all control plane nodes have the same. */
const byPod: Query<KubeVip | null> = {
  rules: [...podNames.rules, { verb: 'get', group: '', resource: 'pods', namespace: names.systemNamespace }],
  enlist: (session) => {
    const listed = podNames.enlist(session);
    return async (): Promise<Reading<KubeVip | null>> => {
      const { value, missing } = await listed();
      const [name] = value.toSorted();
      if (name === undefined) return { value: null, missing };
      const ref = { resource: resources.pods, namespace: names.systemNamespace, name };
      const read = await session.object(ref);
      const all: Missing[] = [...missing, ...read.missing];
      return { value: read.value && kubeVipOf(`kube-system/Pod/${name}`, podOf(read.value).spec), missing: all };
    };
  },
};

/**
 * kube-vip holds the control plane's address by a Lease that it renews at the API server. If it reaches that through the Service, the address is lost
 * when Services fail (pain A9).
 */
export const kubeVip = defineCollector({
  id: 'kube-vip',
  provides: ['kubeVip'],
  reads: { byDaemonSet, byPod },
  collect: (read) => {
    const [first] = read.byDaemonSet.value;
    return {
      endpoint: { kubeVip: first ?? read.byPod.value },
      coverage: { kubeVip: allOf(read.byDaemonSet, read.byPod) },
    };
  },
});

/** Addresses of kube-vip (`address`, before v0.4 `vip_address`: https://kube-vip.io/docs/installation/flags/), and whether its static pod uses its own API server, by host alias and kubeconfig. */
function kubeVipOf(object: string, { containers, hostAliases, volumes }: ReadPodSpec): KubeVip | null {
  const container = containers.find(({ image }) => /(^|\/)kube-vip(-iptables)?[:@]/.test(image));
  if (!container) return null;
  const variable = (name: string) => container.env.find((one) => one.name === name)?.value ?? '';
  const addresses = [variable('address'), variable('vip_address')]
    .flatMap((value) => value.split(','))
    .map((address) => address.trim().replace(/\/\d+$/, ''))
    .filter((address) => isIP(address) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(address));
  const host = variable('KUBERNETES_SERVICE_HOST');
  const usesOwnApiServer =
    isThisMachine(host) ||
    hostAliases.some(({ ip, hostnames }) => isLoopback(ip) && hostnames.includes('kubernetes')) ||
    (object.includes('/Pod/') && volumes.some(({ hostPath }) => /(admin|super-admin)\.conf$/.test(hostPath.path)));
  return { object, addresses: [...new Set(addresses)], usesOwnApiServer };
}
