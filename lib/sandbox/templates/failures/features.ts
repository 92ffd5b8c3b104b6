import type { KubeObject } from '#lib/kube/index.ts';
import { adding, all, changing } from '../dress.ts';
import { service } from '../kubeadm.ts';
import type { Samples } from '../sample.ts';

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

/** What eBPF mode does not support, or does differently (pain D, E). */
export const featureFailures: Samples = {
  'unsupported-features': {
    shows: 'SCTP, floating IPs and a policy that logs: none of them works in eBPF mode',
    differs: {
      dressed: all(
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
};
