import { endpointSliceOf, nodeOf, serviceOf } from '#lib/kube/index.ts';
import type { ReadSlice } from '../endpoints.ts';
import type { ReadService } from '../service-entries.ts';

type Given = Record<string, unknown>;

/** A Service `shop/web` with TCP port 80, parsed as from the API. `spec` and `rest` override the defaults. */
export function aService(spec: Given = {}, rest: Given = {}): ReadService {
  return serviceOf({
    metadata: { namespace: 'shop', name: 'web', creationTimestamp: '2026-01-01T00:00:00Z', labels: {} },
    spec: {
      type: 'ClusterIP',
      clusterIP: '10.96.0.7',
      clusterIPs: ['10.96.0.7'],
      ports: [{ name: 'http', protocol: 'TCP', port: 80 }],
      ...spec,
    },
    ...rest,
  });
}

/** A slice of `shop/web`. Endpoints are given as an address or as a whole object. */
export function aSlice(endpoints: readonly (string | Given)[], rest: Given = {}): ReadSlice {
  return endpointSliceOf({
    metadata: { namespace: 'shop', name: 'web-1', labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    endpoints: endpoints.map((one) => (typeof one === 'string' ? { addresses: [one], nodeName: 'node-2' } : one)),
    ports: [{ name: 'http', protocol: 'TCP', port: 8080 }],
    ...rest,
  });
}

export function aNode(name: string, address: string, rest: Given = {}) {
  return nodeOf({ metadata: { name, labels: {} }, status: { addresses: [{ type: 'InternalIP', address }] }, ...rest });
}
