import { isIP } from 'node:net';
import { clusterDnsOf, type KubeObject, type ObjectMetadata, serviceOf } from '#lib/kube/index.ts';
import { defineCollector } from '../collector.ts';
import { allOf } from '../reading/coverage.ts';
import { picked } from '../reading/query.ts';
import { kubernetesService, serviceListing } from '../reading/sources.ts';
import type { Facts } from '../schema.ts';

/** The Services that every pod uses, and that tests of the nodes ask; and addresses outside of the service CIDR that are a Service's too. */
export const clusterServices = defineCollector({
  id: 'cluster-services',
  provides: ['clusterServices'],
  reads: { api: kubernetesService, dns: picked(serviceListing, dnsOf), external: picked(serviceListing, externalOf) },
  collect: ({ api, dns, external }) => ({
    endpoint: {
      services: { api: api.value && apiOf(api.value), dns: dns.value[0] ?? null },
      externalAddresses: external.value.flat(),
    },
    coverage: { clusterServices: allOf(api, dns, external) },
  }),
});

function apiOf(object: KubeObject): { host: string; port: string } | null {
  const { clusterIP: host, ports } = serviceOf(object).spec;
  const port = ports[0]?.port ?? null;
  return isIP(host) === 0 || port === null ? null : { host, port: String(port) };
}

function dnsOf(object: KubeObject | ObjectMetadata): { host: string; port: string } | null {
  const found = clusterDnsOf(object);
  return found && { host: found.host, port: String(found.port) };
}

type External = Facts['endpoint']['externalAddresses'];

/** Null: the Service has none. */
function externalOf(object: KubeObject | ObjectMetadata): External | null {
  const { metadata: meta, spec, status } = serviceOf(object);
  const { ingress } = status.loadBalancer;
  const written = [...spec.externalIPs, spec.loadBalancerIP, ...ingress.flatMap(({ ip, hostname }) => [ip, hostname])];
  const addresses = new Set(written.filter((address) => address !== ''));
  if (addresses.size === 0) return null;
  const ports = spec.ports.flatMap(({ port }) => port ?? []);
  return [...addresses].map((address) => ({ address, ports, service: `${meta.namespace ?? ''}/${meta.name}` }));
}
