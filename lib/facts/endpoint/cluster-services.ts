import { isIP } from 'node:net';
import { clusterDnsOf, type KubeObject, type ObjectMetadata, serviceOf } from '#lib/kube/index.ts';
import { defineCollector } from '../collector.ts';
import { allOf } from '../reading/coverage.ts';
import { picked } from '../reading/query.ts';
import { kubernetesService, serviceListing } from '../reading/sources.ts';

/** The Services that every pod uses, and that tests of the nodes ask. */
export const clusterServices = defineCollector({
  id: 'cluster-services',
  provides: ['clusterServices'],
  reads: { api: kubernetesService, dns: picked(serviceListing, dnsOf) },
  collect: ({ api, dns }) => ({
    endpoint: { services: { api: api.value && apiOf(api.value), dns: dns.value[0] ?? null } },
    coverage: { clusterServices: allOf(api, dns) },
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
