import { hostAndPort } from '#lib/base/ip.ts';
import { endpointSliceOf, endpointsOf, type KubeObject, type ObjectMetadata, serviceOf } from '#lib/kube/index.ts';
import { defineCollector } from '../collector.ts';
import { allOf, foundOr, uncovered } from '../reading/coverage.ts';
import { picked } from '../reading/query.ts';
import { endpointSliceListing, kubernetesEndpoints, kubernetesService } from '../reading/sources.ts';

/** Addresses of the API servers, and the ClusterIPs of their Service. */
export const apiServers = defineCollector({
  id: 'api-servers',
  provides: ['endpoint', 'clusterIPs', 'apiServers'],
  reads: {
    slices: picked(endpointSliceListing, serversOfSlice),
    endpoints: kubernetesEndpoints,
    service: kubernetesService,
  },
  collect: (read) => {
    const servers = read.slices.value.flat();
    const addresses =
      servers.length > 0 || read.endpoints.value === null ? servers : serversOfEndpoints(read.endpoints.value);
    const serverLists = foundOr(addresses.length > 0, read.slices);
    const serverCoverage =
      addresses.length === 0 && serverLists.covered
        ? uncovered('EndpointSlice.discovery.k8s.io', 'no API server is among what was read')
        : serverLists;
    const clusterIps = read.service.value === null ? [] : clusterIpsOf(read.service.value);
    // Every cluster has this Service: a dump without it lacks Services.
    const service =
      read.service.value === null && read.service.missing.length === 0
        ? uncovered('Service', 'default/Service/kubernetes is not among what was read')
        : allOf(read.service);
    return {
      endpoint: { apiServers: [...new Set(addresses)], clusterIPs: clusterIps },
      coverage: {
        endpoint: {
          covered: serverCoverage.covered && service.covered,
          missing: [...serverCoverage.missing, ...service.missing],
        },
        apiServers: serverCoverage,
        clusterIPs: service,
      },
    };
  },
});

function serversOfSlice(object: KubeObject | ObjectMetadata): string[] {
  const { endpoints: ready, ports } = endpointSliceOf(object);
  return ready.flatMap(({ addresses }) => withPort(addresses, ports));
}

function serversOfEndpoints(object: KubeObject): string[] {
  return endpointsOf(object).subsets.flatMap(({ addresses, ports }) =>
    withPort(
      addresses.map(({ ip }) => ip),
      ports,
    ),
  );
}

function withPort(
  addresses: readonly string[],
  ports: readonly { name: string | null; port: number | null }[],
): string[] {
  const https = ports.find(({ name }) => name === 'https') ?? ports[0];
  return addresses.map((address) => hostAndPort({ host: address, port: https?.port ?? 443 }));
}

function clusterIpsOf(object: KubeObject): string[] {
  const { clusterIP, clusterIPs } = serviceOf(object).spec;
  return [...new Set([...clusterIPs, clusterIP])].filter((ip) => ip !== '' && ip !== 'None');
}
