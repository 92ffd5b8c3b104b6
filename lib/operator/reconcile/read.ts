import { z } from 'zod';
import { isKubeError, type KubeObject } from '#lib/kube/index.ts';
import { type Resource, resources } from '#lib/spec/index.ts';
import { at } from '../difference.ts';
import type { Operator } from '../process/operator.ts';
import { refs } from './refs.ts';

/** Every object of a kind; none where the kind is not served. */
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
  const cidr = at(pool, 'spec', 'cidr');
  return typeof cidr === 'string' ? cidr : '';
}

const service = z.object({
  spec: z.object({
    clusterIP: z.string().optional(),
    clusterIPs: z.array(z.string()).optional(),
    ports: z.array(z.object({ port: z.number() })).default([]),
  }),
});

const slice = z.object({
  endpoints: z.array(z.object({ addresses: z.array(z.string()).default([]) })).nullish(),
  ports: z.array(z.object({ port: z.number().nullish() })).nullish(),
});

const joined = (address: string, port: number) =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;

/** What bpfNetworkBootstrap hands to the init container (calico.md §3.3). Null: the Service cannot be read. */
export async function bootstrapAddresses(
  op: Operator,
): Promise<{ serviceAddresses: string[]; apiServers: string[] } | null> {
  const found = await op.kube.get(refs.kubernetesService, { signal: op.signal });
  const parsed = service.safeParse(found);
  if (!found || !parsed.success) return null;
  const { clusterIP, clusterIPs, ports } = parsed.data.spec;
  const addresses = clusterIPs ?? (clusterIP ? [clusterIP] : []);
  const slices = await listAll(op, resources.endpointSlices, {
    namespace: 'default',
    labelSelector: 'kubernetes.io/service-name=kubernetes',
  });
  const apiServers = slices.flatMap((object) => {
    const read = slice.safeParse(object);
    if (!read.success) return [];
    const numbers = (read.data.ports ?? []).flatMap((one) => one.port ?? []);
    return (read.data.endpoints ?? [])
      .flatMap((one) => one.addresses)
      .flatMap((address) => numbers.map((port) => joined(address, port)));
  });
  return {
    serviceAddresses: addresses.flatMap((address) => ports.map(({ port }) => joined(address, port))),
    apiServers: [...new Set(apiServers)].sort(),
  };
}
