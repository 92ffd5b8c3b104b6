import { hostAndPort } from '#lib/base/ip.ts';
import { endpointSliceOf, isKubeError, type KubeObject, serviceOf } from '#lib/kube/index.ts';
import { type Resource, resources } from '#lib/spec/index.ts';
import { memberAt } from '../difference.ts';
import type { Operator } from '../process/operator.ts';
import { refs } from './refs.ts';

/** All objects of a kind. Empty where the kind is not served. */
export async function listAll(
  op: Pick<Operator, 'kube' | 'signal'>,
  resource: Resource,
  where: { namespace?: string; labelSelector?: string } = {},
): Promise<KubeObject[]> {
  const found: KubeObject[] = [];
  try {
    for await (const page of op.kube.list(resource, { ...where, signal: op.signal })) found.push(...page.items);
  } catch (error) {
    if (!isKubeError(error, 'not-served')) throw error;
  }
  return found;
}

export function cidrOf(pool: KubeObject): string {
  const cidr = memberAt(pool, 'spec', 'cidr');
  return typeof cidr === 'string' ? cidr : '';
}

/**
 * Addresses that bpfNetworkBootstrap gives to the init container (calico.md §3.3): ClusterIPs of the Service with its ports, and the API servers
 * behind it. Null: the Service does not exist.
 */
export async function bootstrapAddresses(
  op: Operator,
): Promise<{ serviceAddresses: string[]; apiServers: string[] } | null> {
  const found = await op.kube.get(refs.kubernetesService, { signal: op.signal });
  if (!found) return null;
  const { clusterIP, clusterIPs, ports } = serviceOf(found).spec;
  const addresses = clusterIPs.length > 0 ? clusterIPs : [clusterIP].filter((address) => address !== '');
  const slices = await listAll(op, resources.endpointSlices, {
    namespace: 'default',
    labelSelector: 'kubernetes.io/service-name=kubernetes',
  });
  const apiServers = slices.flatMap((object) => {
    const read = endpointSliceOf(object);
    const numbers = read.ports.flatMap((one) => one.port ?? []);
    return read.endpoints
      .flatMap((one) => one.addresses)
      .flatMap((address) => numbers.map((port) => hostAndPort({ host: address, port })));
  });
  return {
    serviceAddresses: addresses.flatMap((address) =>
      ports.flatMap(({ port }) => (port === null ? [] : hostAndPort({ host: address, port }))),
    ),
    apiServers: [...new Set(apiServers)].sort(),
  };
}
