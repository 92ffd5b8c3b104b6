import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const dualStack = {
  cluster: { serviceCIDRs: ['10.96.0.0/12', 'fd00:10:96::/112'] },
  endpoint: { clusterIPs: ['10.96.0.1', 'fd00:10:96::1'] },
};

test.each([
  ['10.0.0.100', 'pass'],
  ['10.96.0.1', 'fail'],
  ['10.111.255.255', 'fail'],
  ['10.112.0.1', 'pass'],
  ['fd00:10:96::1', 'fail'],
  ['fd00:10:96:0:0:0:0:abcd', 'fail'],
  ['fd00:10:97::1', 'pass'],
  ['kubernetes.default', 'fail'],
  ['kubernetes.default.svc', 'fail'],
  ['kubernetes.default.svc.cluster.local.', 'fail'],
  ['api.example.com', 'pass'],
  ['not an address', 'unknown'],
])('%s: %s', (host, expected) => {
  expect(find('endpoint.not-cluster-ip', dualStack, { endpoint: { host, port: '443' } }).status).toBe(expected);
});

test('without the service CIDR the ClusterIP itself still fails; another address is unknown and a name passes', () => {
  const facts = uncover(aFacts({ cluster: { serviceCIDRs: [] } }), 'serviceCIDRs');
  const status = (host: string) => find('endpoint.not-cluster-ip', facts, { endpoint: { host, port: '443' } }).status;
  expect([status('10.96.0.1'), status('10.0.0.100'), status('api.example.com')]).toEqual(['fail', 'unknown', 'pass']);
});

test.each([
  ['fd00:10:96::1', 'fd00:10:96::1'],
  ['fd00:10:96:0::1', 'fd00:10:96::1'],
  ['fd00:10:96::1', 'fd00:0010:0096::1'],
  ['::ffff:10.96.0.1', '10.96.0.1'],
])('%s is the ClusterIP that the Service writes as %s', (host, clusterIP) => {
  const facts = uncover(
    aFacts({ cluster: { serviceCIDRs: [] }, endpoint: { clusterIPs: [clusterIP] } }),
    'serviceCIDRs',
  );
  expect(find('endpoint.not-cluster-ip', facts, { endpoint: { host, port: '443' } })).toMatchObject({
    status: 'fail',
    because: expect.stringContaining('is the ClusterIP'),
  });
  const name = { host: 'api.example.com', port: '443' };
  const endpointProbe = {
    endpoint: { host: name.host, port: 443 },
    name: { resolved: true as const, addresses: [host] },
  };
  const resolving = {
    cluster: { serviceCIDRs: [] },
    endpoint: { clusterIPs: [clusterIP] },
    resources: { endpointProbe },
  };
  expect(find('endpoint.not-cluster-ip', resolving, { endpoint: name }).status).toBe('fail');
});

test('a name that resolves to an address of a Service fails', () => {
  const endpoint = { host: 'api.example.com', port: '443' };
  const endpointProbe = {
    endpoint: { host: 'api.example.com', port: 443 },
    name: { resolved: true as const, addresses: ['10.96.0.1'] },
  };
  expect(find('endpoint.not-cluster-ip', { resources: { endpointProbe } }, { endpoint }).because).toBe(
    'The chosen endpoint "api.example.com:443" resolves to 10.96.0.1, an address of a Service.',
  );
});

const external = {
  endpoint: {
    externalAddresses: [
      { address: '192.0.2.10', ports: [80, 443, 6443], service: 'ingress/web' },
      { address: '2001:DB8::0:10', ports: [6443], service: 'default/api' },
      { address: 'lb-1.example.com', ports: [6443], service: 'default/api-lb' },
    ],
  },
};

test.each([
  ['192.0.2.10', 'is an external address of Service "ingress/web"'],
  ['2001:db8::10', 'is an external address of Service "default/api"'],
  ['LB-1.example.com.', 'is the name of the load balancer of Service "default/api-lb"'],
])('%s, which kube-proxy serves, fails: it %s', (host, detail) => {
  expect(find('endpoint.not-cluster-ip', external, { endpoint: { host, port: '6443' } })).toMatchObject({
    status: 'fail',
    because: `The chosen endpoint "${host}:6443" ${detail}.`.replace('"2001:db8::10:', '"[2001:db8::10]:'),
  });
});

test('another port of an external address is not the Service’s', () => {
  expect(find('endpoint.not-cluster-ip', external, { endpoint: { host: '192.0.2.10', port: '8443' } }).status).toBe(
    'pass',
  );
});

test('a name that resolves to an external address of a Service fails', () => {
  const endpoint = { host: 'api.example.com', port: '443' };
  const endpointProbe = {
    endpoint: { host: 'api.example.com', port: 443 },
    name: { resolved: true as const, addresses: ['192.0.2.10'] },
  };
  expect(find('endpoint.not-cluster-ip', { ...external, resources: { endpointProbe } }, { endpoint }).because).toBe(
    'The chosen endpoint "api.example.com:443" resolves to 192.0.2.10, an external address of Service "ingress/web".',
  );
});

test('where the Services were not read, an address outside of their CIDR is unknown', () => {
  const facts = uncover(aFacts(), 'clusterServices');
  const status = (host: string) => find('endpoint.not-cluster-ip', facts, { endpoint: { host, port: '443' } }).status;
  expect([status('10.0.0.100'), status('api.example.com'), status('10.96.0.1')]).toEqual([
    'unknown',
    'unknown',
    'fail',
  ]);
});
