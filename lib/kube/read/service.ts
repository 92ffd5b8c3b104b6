import { isIP } from 'node:net';
import type { V1EndpointSlice, V1Endpoints, V1Service } from '@kubernetes/client-node';
import { names } from '#lib/spec/index.ts';
import { readerOf } from './json.ts';
import { fields, flagOrNull, listOf, numberOrNull, text, textMap, textOrNull, texts } from './lenient.ts';
import { metadata } from './metadata.ts';

/** What is read of a Service. */
export const serviceOf = readerOf<V1Service>()(
  fields({
    metadata,
    spec: fields({
      type: text,
      clusterIP: text,
      clusterIPs: texts,
      selector: textMap,
      externalIPs: texts,
      loadBalancerIP: text,
      loadBalancerSourceRanges: texts,
      externalTrafficPolicy: text,
      internalTrafficPolicy: text,
      healthCheckNodePort: numberOrNull,
      sessionAffinity: text,
      sessionAffinityConfig: fields({ clientIP: fields({ timeoutSeconds: numberOrNull }) }),
      ports: listOf(fields({ name: text, protocol: text, port: numberOrNull, nodePort: numberOrNull })),
    }),
    status: fields({ loadBalancer: fields({ ingress: listOf(fields({ ip: text, hostname: text, ipMode: text })) }) }),
  }),
);

/**
 * The address and port of cluster DNS, from its Service: the one with kubeadm's label, which every distribution but OpenShift keeps
 * (kubernetes.io/docs › DNS for Services and Pods), or OpenShift's own. Null if the object is another Service or has no address.
 */
export function clusterDnsOf(object: unknown): { readonly host: string; readonly port: number } | null {
  const { metadata: meta, spec } = serviceOf(object);
  const isDns =
    (meta.namespace === names.systemNamespace && meta.labels['k8s-app'] === 'kube-dns') ||
    (meta.namespace === 'openshift-dns' && meta.name === 'dns-default');
  const found = spec.ports.find(({ name, port: number }) => name === 'dns' || number === 53)?.port ?? null;
  return isDns && isIP(spec.clusterIP) !== 0 && found !== null ? { host: spec.clusterIP, port: found } : null;
}

const port = fields({ name: textOrNull, port: numberOrNull, protocol: textOrNull });
const named = listOf(fields({ name: text }));

/** The fields of an EndpointSlice that are read: addresses of a Service's pods. */
export const endpointSliceOf = readerOf<V1EndpointSlice>()(
  fields({
    metadata,
    addressType: text,
    endpoints: listOf(
      fields({
        addresses: texts,
        nodeName: textOrNull,
        conditions: fields({ ready: flagOrNull, serving: flagOrNull, terminating: flagOrNull }),
        hints: fields({ forZones: named, forNodes: named }),
      }),
    ),
    ports: listOf(port),
  }),
);

/** The same of the older kind Endpoints, which API servers still write for `default/kubernetes`. */
export const endpointsOf = readerOf<V1Endpoints>()(
  fields({ subsets: listOf(fields({ addresses: listOf(fields({ ip: text })), ports: listOf(port) })) }),
);
