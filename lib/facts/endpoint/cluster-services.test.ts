import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { collectFacts } from '../collect.ts';

function aService(name: string, spec: object, ingress: readonly object[] = []): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'shop', name },
    spec: { type: 'LoadBalancer', ports: [{ port: 80 }, { port: 443 }, { port: 'http' }], ...spec },
    status: { loadBalancer: { ingress } },
  };
}

test.each<[string, KubeObject, string[]]>([
  ['of a ClusterIP alone', aService('db', { type: 'ClusterIP', clusterIP: '10.96.0.7' }), []],
  [
    'external IPs',
    aService('old', { type: 'ClusterIP', externalIPs: ['192.0.2.1', '2001:db8::1'] }),
    ['192.0.2.1', '2001:db8::1'],
  ],
  [
    'of the load balancer',
    aService('web', {}, [{ ip: '192.0.2.2', ipMode: 'VIP' }, { hostname: 'lb.example.com' }]),
    ['192.0.2.2', 'lb.example.com'],
  ],
  ['asked for, and not given yet', aService('new', { loadBalancerIP: '192.0.2.3' }), ['192.0.2.3']],
  [
    'asked for and given, once',
    aService('both', { loadBalancerIP: '192.0.2.4' }, [{ ip: '192.0.2.4' }]),
    ['192.0.2.4'],
  ],
  ['that are no texts', aService('odd', { externalIPs: [7, null] }, [{ ip: {} }]), []],
])('external addresses: %s', async (_, service, expected) => {
  const kube = createStore({ name: 'lab', source: 'live', objects: [service] });
  const { endpoint, coverage } = await collectFacts({ kube });
  expect(coverage.clusterServices.covered).toBe(true);
  expect(endpoint.externalAddresses).toEqual(
    expected.map((address) => ({ address, ports: [80, 443], service: `shop/${service.metadata.name}` })),
  );
});
