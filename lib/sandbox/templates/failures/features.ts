import type { KubeObject } from '#lib/kube/index.ts';
import { dnsServiceIP } from '../cluster-shape.ts';
import { service } from '../kubeadm.ts';
import { withNode } from '../nodes.ts';
import { configMap, daemon } from '../objects.ts';
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

/** Annotates the pod template of a workload, and with it the workload's pods. */
function withAnnotations(annotations: Record<string, string>) {
  return (object: KubeObject): KubeObject => {
    const spec = Object(object.spec);
    const metadata = { ...spec.template.metadata, annotations };
    return { ...object, spec: { ...spec, template: { ...spec.template, metadata } } };
  };
}

/** The annotation by which Istio's injector marks pods that have its sidecar. */
const inMesh = withAnnotations({ 'sidecar.istio.io/status': '{"containers":["istio-proxy"]}' });

/**
 * NodeLocal DNSCache. Beside kube-proxy in iptables mode, Kubernetes' own manifest binds it to the DNS Service's address too; beside IPVS it binds to
 * a link-local address alone.
 */
export function dnsCache({ binds, asks }: { binds: string; asks: string }): readonly KubeObject[] {
  const corefile = `cluster.local:53 {\n    errors\n    cache 30\n    bind ${binds.replace(',', ' ')}\n    forward . ${asks} {\n        force_tcp\n    }\n}\n`;
  return [
    configMap('kube-system', 'node-local-dns', { Corefile: corefile }),
    daemon('kube-system', 'node-local-dns', 'images.sandbox.example/dns/k8s-dns-node-cache:1.26.4', {
      container: { args: ['-localip', binds, '-conf', '/etc/Corefile', '-upstreamsvc', 'kube-dns-upstream'] },
      pod: { volumes: [{ name: 'config-volume', configMap: { name: 'node-local-dns' } }] },
    }),
  ];
}

const kubeDnsUpstream: KubeObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'kube-dns-upstream', namespace: 'kube-system' },
  spec: service('10.100.10.53', { 'k8s-app': 'kube-dns' }, [
    { name: 'dns', port: 53, protocol: 'UDP', targetPort: 53 },
    { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: 53 },
  ]),
  status: { loadBalancer: {} },
};

/** Features that eBPF mode does not support, or treats differently (pain D, E). */
export const featureFailures: Samples = {
  'unsupported-features': {
    shows: 'SCTP, floating IPs and a policy that logs: none of them works in eBPF mode',
    differs: {
      variation: all(
        adding(signalling, audit),
        changing(
          'shop/Deployment/checkout',
          withAnnotations({ 'cni.projectcalico.org/floatingIPs': '["203.0.113.50"]' }),
        ),
      ),
    },
  },
  'traffic-limits': {
    shows:
      'pods whose bandwidth and connections are limited; one node has a kernel before 6.6, which eBPF mode needs for the first',
    differs: {
      nodes: withNode('worker-3', { kernel: '5.15.0-119-generic', osImage: 'Ubuntu 22.04.4 LTS' }),
      variation: changing(
        'shop/Deployment/checkout',
        withAnnotations({
          'kubernetes.io/ingress-bandwidth': '50M',
          'qos.projectcalico.org/ingressMaxConnections': '500',
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
        ...dnsCache({ binds: `169.254.20.10,${dnsServiceIP}`, asks: '__PILLAR__CLUSTER__DNS__' }),
        kubeDnsUpstream,
      ),
    },
  },
  'dns-cache-link-local': {
    shows: 'NodeLocal DNSCache that binds a link-local address alone, as kubespray has it: nothing needs to be done',
    differs: { variation: adding(...dnsCache({ binds: '169.254.25.10', asks: dnsServiceIP })) },
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
