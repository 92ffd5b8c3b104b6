import { podPort } from '#e2e/dataplane/testing/node-plane.ts';
import type { KubeObject } from '#lib/kube/index.ts';

/** Services as a cluster has them, by number: each with an address of its own, and one slice of its endpoints on one node. */
export const benchNamespace = 'bench';
const namespace = benchNamespace;
const nameOf = (index: number) => `service-${index}`;

export const addressOf = (index: number) => `10.96.${index >> 8}.${index & 255}`;
export const benchPort = 80;

export function benchService(index: number): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name: nameOf(index), labels: { app: nameOf(index) } },
    spec: {
      type: 'ClusterIP',
      clusterIP: addressOf(index),
      clusterIPs: [addressOf(index)],
      selector: { app: nameOf(index) },
      ports: [{ name: 'http', protocol: 'TCP', port: benchPort, targetPort: podPort }],
    },
  };
}

export function benchSlice(index: number, node: string, all: readonly string[]): KubeObject {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      namespace,
      name: `${nameOf(index)}-abcde`,
      labels: {
        app: nameOf(index),
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        'kubernetes.io/service-name': nameOf(index),
      },
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Service', name: nameOf(index), uid: String(index), controller: true },
      ],
    },
    addressType: 'IPv4',
    endpoints: all.map((address, at) => ({
      addresses: [address],
      conditions: { ready: true, serving: true, terminating: false },
      nodeName: node,
      targetRef: { kind: 'Pod', namespace, name: `${nameOf(index)}-${at}`, uid: `${index}-${at}` },
    })),
    ports: [{ name: 'http', protocol: 'TCP', port: podPort }],
  };
}

export function benchNode(name: string, address: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    status: { addresses: [{ type: 'InternalIP', address }] },
  };
}
