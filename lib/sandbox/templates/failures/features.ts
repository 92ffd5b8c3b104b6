import type { KubeObject } from '#lib/kube/index.ts';
import { service } from '../kubeadm.ts';
import { daemon } from '../objects.ts';
import type { Samples } from '../sample.ts';
import { adding, all, changing } from '../variations.ts';

const signalling: KubeObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'signalling', namespace: 'shop' },
  spec: service('10.100.10.30', { app: 'signalling' }, [
    { name: 'sctp', port: 3868, protocol: 'SCTP', targetPort: 3868 },
  ]),
  status: { loadBalancer: {} },
};

const audit: KubeObject = {
  apiVersion: 'crd.projectcalico.org/v1',
  kind: 'GlobalNetworkPolicy',
  metadata: { name: 'default.audit', generation: 1 },
  spec: {
    order: 900,
    selector: 'all()',
    types: ['Ingress'],
    ingress: [{ action: 'Log' }, { action: 'Allow' }],
  },
};

const storefront: KubeObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'storefront', namespace: 'shop' },
  spec: {
    ...service(
      '10.100.10.40',
      { app: 'catalogue' },
      [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 8080, nodePort: 30090 }],
      'LoadBalancer',
    ),
    externalTrafficPolicy: 'Cluster',
    loadBalancerSourceRanges: ['203.0.113.0/24'],
  },
  status: { loadBalancer: {} },
};

/** As an injector marks the pods that it has put a sidecar into. */
function inMesh(object: KubeObject): KubeObject {
  const spec = Object(object.spec);
  const annotations = { 'sidecar.istio.io/status': '{"containers":["istio-proxy"]}' };
  const metadata = { ...spec.template.metadata, annotations };
  return { ...object, spec: { ...spec, template: { ...spec.template, metadata } } };
}

/** What eBPF mode does not support, or does differently (pain D, E). */
export const featureFailures: Samples = {
  'unsupported-features': {
    shows: 'SCTP, floating IPs and a policy that logs: none of them works in eBPF mode',
    differs: {
      variation: all(
        adding(signalling, audit),
        changing('shop/Deployment/checkout', (object) => {
          const spec = Object(object.spec);
          const annotations = { 'cni.projectcalico.org/floatingIPs': '["203.0.113.50"]' };
          const metadata = { ...spec.template.metadata, annotations };
          return { ...object, spec: { ...spec, template: { ...spec.template, metadata } } };
        }),
      ),
    },
  },
  ipip: {
    shows: 'pods on different nodes talk through IPIP; with eBPF VXLAN or no overlay performs better',
    differs: { encapsulation: 'IPIP' },
  },
  'dns-cache': {
    shows: 'NodeLocal DNSCache on each node: eBPF would answer for cluster DNS before the cache sees the query',
    differs: {
      variation: adding(
        daemon('kube-system', 'node-local-dns', 'images.sandbox.example/dns/k8s-dns-node-cache:1.26.4'),
      ),
    },
  },
  'service-mesh': {
    shows: 'pods with Istio sidecars: eBPF would choose the pod behind a Service before the sidecar can',
    differs: {
      variation: all(...['catalogue', 'checkout'].map((name) => changing(`shop/Deployment/${name}`, inMesh))),
    },
  },
  'limited-load-balancer': {
    shows: 'a load balancer that lets one office in: with eBPF it keeps the pods of the cluster out as well',
    differs: { variation: adding(storefront) },
  },
  'full-mtu': {
    shows: 'pods with the MTU of the network itself: large answers of NodePorts would be lost on the way',
    differs: { mtu: 1500 },
  },
};
